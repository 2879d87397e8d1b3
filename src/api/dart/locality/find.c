#include <stdlib.h>
#include <string.h>

#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

bool tsr_domain_has_unit(const tsr_domain *domain, int32_t unit) {
  dart_global_unit_t key = {unit};
  size_t n = (size_t)domain->num_units;
  return n > 0 && bsearch(&key, domain->unit_ids, n, sizeof key, tsr_domain_by_number);
}

bool tsr_domain_tag_covers(const char *tag, const char *other) {
  size_t length = strlen(tag);
  if (strcmp(tag, ".") == 0) return true;
  return strncmp(tag, other, length) == 0 && (other[length] == '\0' || other[length] == '.');
}

tsr_domain *tsr_domain_find(const tsr_domain *in, const char *tag) {
  if (strcmp(in->domain_tag, tag) == 0) return (tsr_domain *)in;
  for (int i = 0; i < in->num_domains; i++) {
    if (tsr_domain_tag_covers(in->children[i]->domain_tag, tag)) return tsr_domain_find(in->children[i], tag);
  }
  return NULL;
}

const tsr_domain *tsr_domain_of_unit(const tsr_domain *in, int32_t unit) {
  if (!tsr_domain_has_unit(in, unit)) return NULL;
  for (int i = 0; i < in->num_domains; i++) {
    const tsr_domain *found = tsr_domain_of_unit(in->children[i], unit);
    if (found) return found;
  }
  return in;
}

int tsr_domain_list(const tsr_domain *in, dart_locality_scope_t scope, int room, tsr_domain *list[]) {
  if (in->scope == scope) {
    if (room > 0) list[0] = (tsr_domain *)in;
    return 1;
  }
  int n = 0;
  for (int i = 0; i < in->num_domains; i++)
    n += tsr_domain_list(in->children[i], scope, room > n ? room - n : 0, room > n ? list + n : NULL);
  return n;
}

dart_ret_t dart_domain_find(const dart_domain_locality_t *domain_in, const char *domain_tag,
                            dart_domain_locality_t **subdomain_out) {
  TSR_DOMAIN_REQUIRE(domain_in);
  TSR_DOMAIN_REQUIRE(domain_tag);
  TSR_DOMAIN_REQUIRE(subdomain_out);
  *subdomain_out = tsr_domain_find(domain_in, domain_tag);
  return *subdomain_out ? DART_OK : DART_ERR_NOTFOUND;
}

dart_ret_t dart_domain_scope_domains(const dart_domain_locality_t *domain_in, dart_locality_scope_t scope,
                                     int *num_domains_out, dart_domain_locality_t ***domains_out) {
  TSR_DOMAIN_REQUIRE(domain_in);
  TSR_DOMAIN_REQUIRE(num_domains_out);
  TSR_DOMAIN_REQUIRE(domains_out);
  int n = tsr_domain_list(domain_in, scope, 0, NULL);
  tsr_domain **list = n > 0 ? malloc((size_t)n * sizeof(tsr_domain *)) : NULL;
  if (n > 0 && !list) return tsr_domain_no_memory(__func__);
  tsr_domain_list(domain_in, scope, n, list);
  *num_domains_out = n;
  *domains_out = list;
  return n > 0 ? DART_OK : DART_ERR_NOTFOUND;
}

dart_ret_t dart_domain_scope_tags(const dart_domain_locality_t *domain_in, dart_locality_scope_t scope,
                                  int *num_domains_out, char ***domain_tags_out) {
  TSR_DOMAIN_REQUIRE(domain_tags_out);
  TSR_DOMAIN_REQUIRE(num_domains_out);
  int n = 0;
  tsr_domain **domains = NULL;
  dart_ret_t result = dart_domain_scope_domains(domain_in, scope, &n, &domains);
  if (result != DART_OK && result != DART_ERR_NOTFOUND) return result;
  char **tags = n > 0 ? malloc((size_t)n * sizeof(char *)) : NULL;
  int copied_n = 0;
  while (tags && copied_n < n && (tags[copied_n] = strdup(domains[copied_n]->domain_tag))) copied_n++;
  free(domains);
  if (copied_n < n) {
    while (copied_n > 0) free(tags[--copied_n]);
    free(tags);
    return tsr_domain_no_memory(__func__);
  }
  *num_domains_out = n;
  *domain_tags_out = tags;
  return result;
}
