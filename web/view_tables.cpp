// The tables of the twin, in the order of the tabs: what every list and every chart shows.
#include "web/views.hpp"

namespace xuanka::web {

std::vector<Table> twin_tables(const Ui& ui) {
  std::vector<Table> tables{plans_table(ui),    hours_table(ui),    memory_table(ui),
                            roofline_table(ui), gpus_table(ui),     offers_table(ui),
                            value_table(ui),    own_table(ui),      sensitivity_table(ui),
                            years_table(ui),    measured_table(ui), cases_table(ui)};
  // A table without rows would be a heading with nothing under it.
  std::erase_if(tables, [](const Table& t) { return t.rows == 0 && t.id != "plans"; });
  return tables;
}

}  // namespace xuanka::web
