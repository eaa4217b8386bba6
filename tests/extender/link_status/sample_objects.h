// Made-up links that probes report, for the tests of Link objects.
#pragma once

#include <string>

#include "extender/link_status/link_object.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender::sample {

// A fresh report of this age, and how long the state has stood.
inline void Report(LinkView& view, double age_s = 1, double state_age_s = 600) {
  LinkContributor path;
  path.age = Ms(age_s * 1000);
  view.contributors = {path};
  view.state_age = Ms(state_age_s * 1000);
}

// The lab's three lines, reported in both directions.
inline Links ReportedLab() {
  Links links = Lab();
  for (const auto& [a, b] : {std::pair("hk", "sg"), {"hk", "tyo"}, {"sg", "tyo"}}) {
    Report(links.At(a, b));
    Report(links.At(b, a));
  }
  return links;
}

// What is left of a direction that nothing reports.
inline void Silence(LinkView& view) {
  const LinkKey key = view.key;
  view = {};
  view.key = key;
}

// Of the lab's hk-sg.
inline LinkObject HkSg(const Links& links) { return LinkObjectsOf(links.Snapshot()).at(0); }

}  // namespace fairlead::extender::sample
