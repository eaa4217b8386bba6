// The page about moves, as the build embeds migrations_page.html.
#pragma once

#include <string_view>

namespace fairlead::extender {

std::string_view MigrationsPage();

}  // namespace fairlead::extender
