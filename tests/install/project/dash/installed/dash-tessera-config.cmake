set(DASH_LIBRARIES dash-tessera dart-tessera)
find_package(DART-TESSERA REQUIRED)
add_library(dash-tessera INTERFACE IMPORTED)
target_include_directories(dash-tessera INTERFACE "${CMAKE_CURRENT_LIST_DIR}/include")
