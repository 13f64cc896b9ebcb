// flags: -O0
// function_attributes as it is compiled without optimisation.
#include "function_attributes.hip"
// SPDX-License-Identifier: Apache-2.0
