# Install rules and the package that find_package(xuanka) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(xuanka_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/xuanka")
install(TARGETS xuanka_core xuanka_assets EXPORT xuanka-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/core/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/xuanka")
install(EXPORT xuanka-targets NAMESPACE xuanka:: DESTINATION "${xuanka_package_dir}")

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/xuanka-config.cmake.in"
  "${PROJECT_BINARY_DIR}/xuanka-config.cmake" INSTALL_DESTINATION "${xuanka_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/xuanka-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/xuanka-config.cmake" "${PROJECT_BINARY_DIR}/xuanka-config-version.cmake"
  DESTINATION "${xuanka_package_dir}")
