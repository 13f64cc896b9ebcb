// A figure as SVG, drawn by gnuplot.
#pragma once

#include <string>

#include "platform/sweep/figure_data.h"

namespace pws::platform::sweep {

// The commands; the same figure gives the same bytes.
std::string gnuplot_script(const figure& f, const figure_data& d);

// Throws input_error: gnuplot is missing, or fails.
std::string draw_svg(const figure& f, const figure_data& d);

}  // namespace pws::platform::sweep
