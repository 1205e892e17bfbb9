// The tables of the twin, in the order of the tabs.
#include "web/views.hpp"

namespace xuanka::web {

std::vector<Table> twin_tables(const Ui& ui) {
  return {plans_table(ui), gpus_table(ui), offers_table(ui), value_table(ui), measured_table(ui)};
}

}  // namespace xuanka::web
