# As GASNet's programs are built: GASNET_ROOT, CONDUIT and MODE say what with, in the folder OUT.
here := $(dir $(lastword $(MAKEFILE_LIST)))
include $(GASNET_ROOT)/include/$(CONDUIT)-conduit/$(CONDUIT)-$(MODE).mak
include $(GASNET_ROOT)/include/gasnet_tools-$(if $(filter seq,$(MODE)),seq,par).mak

all: $(OUT)/c $(OUT)/cxx $(OUT)/tools

$(OUT)/c: $(here)gasnet_client.c
	$(GASNET_CC) $(GASNET_CPPFLAGS) $(GASNET_CFLAGS) -Wall -Wextra -Werror -c -o $@.o $<
	$(GASNET_LD) $(GASNET_LDFLAGS) -o $@ $@.o $(GASNET_LIBS)
$(OUT)/cxx: $(here)gasnet_client.cpp
	$(GASNET_CXX) $(GASNET_CXXCPPFLAGS) $(GASNET_CXXFLAGS) -Wall -Wextra -Werror -c -o $@.o $<
	$(GASNET_CXX) $(GASNET_LDFLAGS) -o $@ $@.o $(GASNET_LIBS)
$(OUT)/tools: $(here)gasnet_tools_client.c
	$(GASNETTOOLS_CC) $(GASNETTOOLS_CPPFLAGS) $(GASNETTOOLS_CFLAGS) -Wall -Wextra -Werror -c -o $@.o $<
	$(GASNETTOOLS_LD) $(GASNETTOOLS_LDFLAGS) -o $@ $@.o $(GASNETTOOLS_LIBS)
