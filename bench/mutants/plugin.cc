// A plugin for gcc-12 that puts mutated copies of some of its own source files in place of what the running cc1 has.
//
// Debian's cc1 is one executable that exports its functions. This library holds the same files, compiled again with mutations in them
// (apply.py). Two things lead into a file: calls from other files, and passes, whose objects were made before a plugin is loaded. So
//   - the first bytes of every exported function of these files become a jump to the copy here;
//   - every pass object of these files gets the virtual table of the copy's class, and the callbacks where it is interprocedural.
// Inside the library calls stay inside (-Bsymbolic-functions); variables that other files see are cc1's own, because the executable's
// come first. Nothing of the garbage collector's tables is replaced: programs under test are far too small for a collection.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gcc-plugin.h"
#include "context.h"
#include "diagnostic-core.h"
#include "pass_manager.h"
#include "plugin-version.h"
#include "tree-pass.h"
#include "assay-mutant.h"

int plugin_is_GPL_compatible;
int assay_mutant = 0;
unsigned char assay_seen[assay_mutants];

namespace {

// Mangled names of the functions that both have, long enough for the jump: made by build.sh.
const char *const functions[] = {
#include "functions.inc"
};

void redirect (void *from, void *to)
{
  unsigned char jump[14] = {0xff, 0x25, 0, 0, 0, 0};  // jmp *0(%rip), with the address behind it
  memcpy (jump + 6, &to, sizeof to);
  const uintptr_t page = sysconf (_SC_PAGESIZE), begin = (uintptr_t) from & ~(page - 1);
  const size_t size = (uintptr_t) from + sizeof jump - begin;
  if (mprotect ((void *) begin, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    fatal_error (UNKNOWN_LOCATION, "mutants: code cannot be changed");
  memcpy (from, jump, sizeof jump);
}

void adopt (opt_pass *pass, opt_pass *copy)
{
  for (; pass; pass = pass->next)
    {
      if (pass->type == copy->type && strcmp (pass->name, copy->name) == 0)
        {
          memcpy ((void *) pass, (void *) copy, sizeof (void *));  // the virtual table
          if (pass->type == IPA_PASS)
            {
              ipa_opt_pass_d *to = (ipa_opt_pass_d *) pass, *from = (ipa_opt_pass_d *) copy;
              to->generate_summary = from->generate_summary;
              to->stmt_fixup = from->stmt_fixup;
              to->function_transform = from->function_transform;
              to->variable_transform = from->variable_transform;
            }
        }
      adopt (pass->sub, copy);
    }
}

void finish (void *, void *)
{
  const char *name = getenv ("ASSAY_MUTANT_LOG");
  FILE *file = name ? fopen (name, "w") : NULL;
  if (!file) return;
  for (int n = 0; n < assay_mutants; n++)
    if (assay_seen[n]) fprintf (file, "%d\n", n);
  fclose (file);
}

}  // namespace

int plugin_init (plugin_name_args *info, plugin_gcc_version *version)
{
  if (!plugin_default_version_check (version, &gcc_version)) return 1;
  if (const char *text = getenv ("ASSAY_MUTANT")) assay_mutant = atoi (text);
  void *cc1 = dlopen (NULL, RTLD_NOW), *self = dlopen (info->full_name, RTLD_NOW | RTLD_NOLOAD);
  gcc::pass_manager *passes = g->get_passes ();
  for (const char *name : functions)
    {
      void *from = dlsym (cc1, name), *to = dlsym (self, name);
      if (!from || !to || from == to) fatal_error (UNKNOWN_LOCATION, "mutants: no function %s", name);
      if (strstr (name, "make_pass_"))
        {
          opt_pass *copy = ((opt_pass *(*) (gcc::context *)) to) (g);
          for (opt_pass *first : {passes->all_passes, passes->all_small_ipa_passes, passes->all_lowering_passes,
                                  passes->all_regular_ipa_passes, passes->all_late_ipa_passes})
            adopt (first, copy);
        }
      redirect (from, to);
    }
  register_callback (info->base_name, PLUGIN_FINISH, finish, NULL);
  return 0;
}
