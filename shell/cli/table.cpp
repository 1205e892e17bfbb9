#include "shell/cli/table.hpp"

#include <algorithm>

namespace xuanka::cli {
namespace {

constexpr std::string_view kReset = "\x1b[0m";

std::string pad(const std::string& shown, const std::string& text, std::size_t width, bool right) {
  const std::size_t used = display_width(text);
  const std::string space(width > used ? width - used : 0, ' ');
  return right ? space + shown : shown + space;
}

std::string render_text(const Table& table, bool color) {
  std::vector<std::size_t> widths;
  for (const Column& column : table.columns) widths.push_back(display_width(column.title));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i].text));
    }
  }
  std::string out;
  const auto line = [&](const auto& cell_at) {
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) text += "  ";
      text += cell_at(i);
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    out += text + "\n";
  };
  line([&](std::size_t i) {
    const Column& column = table.columns[i];
    return pad(dim(column.title, color), column.title, widths[i], column.right);
  });
  for (const auto& row : table.rows) {
    line([&](std::size_t i) {
      const Cell& cell = row[i];
      return pad(paint(cell.text, cell.tone, color), cell.text, widths[i], table.columns[i].right);
    });
  }
  return out;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string render_csv(const Table& table) {
  std::string out;
  const auto field = [&](std::size_t i, const std::string& text) {
    if (i > 0) out += ',';
    out += csv_field(text);
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) field(i, table.columns[i].title);
  out += "\r\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) field(i, row[i].text);
    out += "\r\n";
  }
  return out;
}

std::string render_markdown(const Table& table) {
  std::string out = "|", rule = "|";
  for (const Column& column : table.columns) {
    out += " " + column.title + " |";
    rule += column.right ? " ---: |" : " --- |";
  }
  out += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (const Cell& cell : row) {
      out += ' ';
      for (const char c : cell.text) out += c == '|' ? std::string("\\|") : std::string(1, c);
      out += " |";
    }
    out += "\n";
  }
  return out;
}

bool closes(std::string_view character) {
  constexpr std::string_view kClosing = "，。；：、）”,.;:)";
  return kClosing.find(character) != std::string_view::npos;
}

std::size_t character_bytes(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1U : byte < 0xE0 ? 2U : byte < 0xF0 ? 3U : 4U;
}

}  // namespace

std::string paint(std::string_view text, Tone tone, bool color) {
  const char* code = tone == Tone::kOk       ? "\x1b[32m"
                     : tone == Tone::kWarn   ? "\x1b[33m"
                     : tone == Tone::kBad    ? "\x1b[31m"
                     : tone == Tone::kAccent ? "\x1b[36m"
                                             : nullptr;
  if (!color || code == nullptr || text.empty()) return std::string(text);
  return std::string(code).append(text).append(kReset);
}
std::string bold(std::string_view text, bool color) {
  return color ? std::string("\x1b[1m").append(text).append(kReset) : std::string(text);
}
std::string dim(std::string_view text, bool color) {
  return color ? std::string("\x1b[2m").append(text).append(kReset) : std::string(text);
}

std::string render(const Table& table, TableFormat format, bool color) {
  switch (format) {
    case TableFormat::kCsv:
      return render_csv(table);
    case TableFormat::kMarkdown:
      return render_markdown(table);
    case TableFormat::kJson:
    case TableFormat::kText:
      break;
  }
  return render_text(table, color);
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out, word;
  std::size_t column = 0, word_width = 0, gap = 0;
  bool after_wide = false;
  const auto flush = [&] {
    if (word.empty()) return;
    if (column > indent && column + gap + word_width > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
      gap = 0;
    }
    out += std::string(gap, ' ') + word;
    column += gap + word_width;
    gap = word_width = 0;
    word.clear();
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = character_bytes(text[i]);
    const std::string_view character = text.substr(i, bytes);
    i += bytes;
    const std::size_t wide = display_width(character);
    if (character == " ") {
      flush();
      gap = 1;
      after_wide = false;
      continue;
    }
    // A line may end before and after any Chinese character, but not before closing punctuation.
    if ((wide == 2 || after_wide) && !closes(character)) flush();
    word += character;
    word_width += wide;
    after_wide = wide == 2;
  }
  flush();
  return out;
}

}  // namespace xuanka::cli
