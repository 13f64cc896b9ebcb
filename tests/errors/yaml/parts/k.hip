// Only its presence matters to the tests of configuration files.
// SPDX-License-Identifier: Apache-2.0
