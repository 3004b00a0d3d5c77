// SPDX-License-Identifier: MIT
// tp_alike.h - internal: what is linked together was compiled alike, or it does
// not link.
//
// Of two files that each are in an image once, the library's and a tp_pools.c,
// one is "here", the other "there". At its level each defines a symbol for
// every level that the other must not have. Only if the levels differ do both
// define the same one, with two values, which no linker accepts: it prints the
// symbol's name, a sentence. Absolute symbols take no byte, need no section and
// outlive every optimisation.
//
// A pool that is defined by hand, in whichever file, asks for the one symbol
// that the library defines for its own level: TP_ALIKE.
#ifndef TP_ALIKE_H
#define TP_ALIKE_H

#include "check/tp_level.h"

#if TP_AUDIT
#define TP_ALIKE_AUDIT 1
#else
#define TP_ALIKE_AUDIT 0
#endif

#if TIDEPOOL_EVENTS
#define TP_ALIKE_EVENTS "some"
#else
#define TP_ALIKE_EVENTS "0"
#endif

#ifdef __ELF__

#define TP_ALIKE_0              "off"
#define TP_ALIKE_1              "fast"
#define TP_ALIKE_2              "poison"
#define TP_ALIKE_3              "full"
#define TP_ALIKE_PASTE(a, b)    a##b
#define TP_ALIKE_WORD(level)    TP_ALIKE_PASTE(TP_ALIKE_, level)
#define TP_ALIKE_TEXT(text)     #text
#define TP_ALIKE_TEXT_OF(macro) TP_ALIKE_TEXT(macro)

// A symbol for each of [all] that is not [own].
#define TP_ALIKE_OTHERS(all, own, before, after, value)                \
  ".irp other," all "\n.ifnc \\other," own "\n.globl " before          \
  "\\other\\()" after "\n.equiv " before "\\other\\()" after "," value \
  "\n.endif\n.endr\n"
#define TP_ALIKE_IS(what)  "tidepool_ERROR_" what "_is_"
#define TP_ALIKE_IN(name)  "_in_" name
#define TP_ALIKE_BUT(name) "_in_" name "_but_"
#define TP_ALIKE_SWITCHES(end, here, there)                                    \
  __asm(                                                                       \
      end("TIDEPOOL_CHECKS", "off,fast,poison,full", TP_ALIKE_WORD(TP_CHECKS), \
          here, there) end("TP_AUDIT", "0,1",                                  \
                           TP_ALIKE_TEXT_OF(TP_ALIKE_AUDIT), here, there)      \
          end("TIDEPOOL_SOAK", "0,1", TP_ALIKE_TEXT_OF(TIDEPOOL_SOAK), here,   \
              there) end("TIDEPOOL_SANITIZE", "0,1",                           \
                         TP_ALIKE_TEXT_OF(TIDEPOOL_SANITIZE), here, there)     \
              end("TIDEPOOL_EVENTS", "0,some", TP_ALIKE_EVENTS, here, there))

// At file scope: this file is [here], or it is [there].
#define TP_ALIKE_HERE(here, there) \
  TP_ALIKE_SWITCHES(TP_ALIKE_FIRST, here, there)
#define TP_ALIKE_THERE(here, there) \
  TP_ALIKE_SWITCHES(TP_ALIKE_SECOND, here, there)
#define TP_ALIKE_FIRST(what, all, own, here, there)                   \
  TP_ALIKE_OTHERS(all, own, TP_ALIKE_IS(what) own TP_ALIKE_BUT(here), \
                  TP_ALIKE_IN(there), "0x1ded0001")
#define TP_ALIKE_SECOND(what, all, own, here, there) \
  TP_ALIKE_OTHERS(all, own, TP_ALIKE_IS(what),       \
                  TP_ALIKE_BUT(here) own TP_ALIKE_IN(there), "0x1ded0002")

// What link_check of a pool defined by hand refers to.
#define TP_ALIKE_BUILD_OF(level, audit) level##_AUDIT_##audit
#define TP_ALIKE_BUILD(level, audit)    TP_ALIKE_BUILD_OF(level, audit)

#define TP_ALIKE_OWN TP_ALIKE_BUILD(TP_CHECKS, TP_ALIKE_AUDIT)

#define TP_ALIKE_NAME_OF(build) \
  tidepool_ERROR_CHECKS_##build##_here_not_in_the_library
#define TP_ALIKE_NAME(build) TP_ALIKE_NAME_OF(build)
#define TP_ALIKE             TP_ALIKE_NAME(TP_ALIKE_OWN)
extern const char TP_ALIKE[];

// Defines [name], which others only refer to.
#define TP_ALIKE_DEFINE(name)                                  \
  __asm(".globl " TP_ALIKE_TEXT_OF(name) "\n" TP_ALIKE_PLACED( \
      TP_ALIKE_TEXT_OF(name)))
#ifdef __PIC__  // An absolute symbol is out of its reach.
#define TP_ALIKE_PLACED(name) ".pushsection .rodata\n" name ":\n.popsection\n"
#else
#define TP_ALIKE_PLACED(name) ".equiv " name ",0x1ded0003\n"
#endif

// In the library: defines it. Who asks for another gets a warning of GNU ld in
// front of the error; lld asks whether this one was meant.
#define TP_ALIKE_LIBRARY()   \
  TP_ALIKE_DEFINE(TP_ALIKE); \
  __asm(                                                                      \
        ".irp other," TP_ALIKE_BUILDS "\n.ifndef " TP_ALIKE_OTHER "\n"        \
        ".pushsection .gnu.warning." TP_ALIKE_OTHER ",\"e\",%progbits\n"      \
        ".ascii \"CHECKS_\\other here, "                                      \
        "CHECKS_" TP_ALIKE_TEXT_OF(TP_ALIKE_OWN) " in the library\"\n"        \
        ".popsection\n.endif\n.endr\n")
#define TP_ALIKE_BUILDS                                \
  "0_AUDIT_0,1_AUDIT_0,2_AUDIT_0,3_AUDIT_0,0_AUDIT_1," \
  "1_AUDIT_1,2_AUDIT_1,3_AUDIT_1"
#define TP_ALIKE_OTHER \
  "tidepool_ERROR_CHECKS_\\other\\()_here_not_in_the_library"

#else
#define TP_ALIKE_HERE(here, there)  struct tp_alike
#define TP_ALIKE_THERE(here, there) struct tp_alike
#define TP_ALIKE_LIBRARY()          struct tp_alike
#define TP_ALIKE_DEFINE(name) \
  extern const char name[1];  \
  const char name[1] = {0}
#define TP_ALIKE ((const char *)0)
#endif

#endif
