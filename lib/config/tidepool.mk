# SPDX-License-Identifier: MIT
# What a firmware's make gets from Tidepool, the same in a checkout and in an
# installed package. GNU make 4.3 or later, for "&:".
#
#   include tidepool/lib/config/tidepool.mk
#
# It generates from pools.toml into build/tidepool, and compiles that and the
# library there by CC, CPPFLAGS and CFLAGS. To these and LDFLAGS it adds what is
# needed, and what leaves out of a firmware the functions it does not use. For
# the rules of the firmware there are
#
#   TIDEPOOL_FILES    what it is linked of: objects, and a linker fragment
#   TIDEPOOL_HEADER   what must be there before its own objects are compiled
#
# and before the include it may say otherwise:
TIDEPOOL_POOLS  ?= pools.toml
TIDEPOOL_CHECKS ?= fast
TIDEPOOL_OUT    ?= build/tidepool
TIDEPOOL        := $(patsubst %/lib/config/tidepool.mk,%,$(lastword $(MAKEFILE_LIST)))
TIDEPOOL_PORT   ?= $(TIDEPOOL)/port/cortex_m

ifeq ($(filter off fast poison full,$(TIDEPOOL_CHECKS)),)
$(error TIDEPOOL_CHECKS is "$(TIDEPOOL_CHECKS)": it must be off, fast, poison or full)
endif
TIDEPOOL_LEVEL := $(subst full,3,$(subst poison,2,$(subst fast,1,$(subst off,0,$(TIDEPOOL_CHECKS)))))

# A level is remembered, so that another compiles all anew.
TIDEPOOL_REMEMBERED := $(TIDEPOOL_OUT)/checks
ifneq ($(file <$(TIDEPOOL_REMEMBERED)),$(TIDEPOOL_CHECKS))
$(shell mkdir -p $(TIDEPOOL_OUT))
$(file >$(TIDEPOOL_REMEMBERED),$(TIDEPOOL_CHECKS))
endif

TIDEPOOL_FLAGS := -I$(TIDEPOOL_OUT) -I$(dir $(TIDEPOOL_POOLS)) -I$(TIDEPOOL)/lib \
  -I$(TIDEPOOL_PORT) -DTP_CHECKS=$(TIDEPOOL_LEVEL) -MMD

# To what the command line of make says, too.
$(eval $(if $(filter command,$(origin CPPFLAGS)),override) \
  CPPFLAGS += $(TIDEPOOL_FLAGS))
CFLAGS   += -ffunction-sections -fdata-sections
LDFLAGS  += -L$(TIDEPOOL_OUT) -Wl,--gc-sections

TIDEPOOL_SOURCES := $(wildcard $(TIDEPOOL)/lib/*/*.c $(TIDEPOOL_PORT)/*.c)
TIDEPOOL_OBJECTS := $(TIDEPOOL_OUT)/tp_pools.o \
  $(addprefix $(TIDEPOOL_OUT)/,$(notdir $(TIDEPOOL_SOURCES:.c=.o)))
TIDEPOOL_FILES   := $(TIDEPOOL_OBJECTS) $(TIDEPOOL_OUT)/tp_pools.ld
TIDEPOOL_HEADER  := $(TIDEPOOL_OUT)/tp_pools.h

# The goal of make stays the first of who includes this.
TIDEPOOL_GOAL := $(.DEFAULT_GOAL)

$(addprefix $(TIDEPOOL_OUT)/tp_pools,.h .c .ld) &: $(TIDEPOOL_POOLS) $(TIDEPOOL_REMEMBERED)
	python3 $(TIDEPOOL)/lib/config/tidepool.py generate $< --out $(TIDEPOOL_OUT)

$(TIDEPOOL_OBJECTS): $(TIDEPOOL_REMEMBERED) | $(TIDEPOOL_HEADER)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c $(firstword $(filter %.c,$^)) -o $@

# Each object's source: the names of lib are one namespace.
$(foreach source,$(TIDEPOOL_SOURCES),$(eval \
  $(TIDEPOOL_OUT)/$(notdir $(source:.c=.o)): $(source)))
$(TIDEPOOL_OUT)/tp_pools.o: $(TIDEPOOL_OUT)/tp_pools.c

-include $(TIDEPOOL_OBJECTS:.o=.d)
.DEFAULT_GOAL := $(TIDEPOOL_GOAL)
