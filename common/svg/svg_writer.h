// Elements of an SVG document.
#pragma once

#include <string>
#include <string_view>

namespace fairlead {

enum class TextAnchor { kStart, kMiddle, kEnd };

struct TextStyle {
  double size = 13;
  const char* colour = "#1f2328";
  TextAnchor anchor = TextAnchor::kStart;
  bool bold = false;
};

// Collects elements; coordinates in pixels. Texts are escaped, colours and the like are ours.
class SvgWriter {
 public:
  void Rect(double x, double y, double width, double height, const char* fill, double opacity = 1);
  void Line(double x1, double y1, double x2, double y2, const char* stroke, double width = 1);
  void Dot(double x, double y, double radius, const char* fill, double opacity);
  void Text(double x, double y, std::string_view text, const TextStyle& style);

  // The whole document, on a white ground.
  std::string Document(double width, double height, std::string_view title) const;

 private:
  std::string body_;
};

}  // namespace fairlead
