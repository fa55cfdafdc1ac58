import type { QuarantineRule } from '../contacts.table.ts'
import type { ExcludedRule, ProtectedRule } from './found-values.ts'

/*
 * One example for each rule, on a contact page of karoo.co.za. Tests and the acceptance run read them; a new rule without an example does not compile.
 */

export const quarantineExamples: Readonly<Record<QuarantineRule, { html: string; value: string }>> = {
  hidden: { html: '<p style="display: none">a@karoo.co.za</p>', value: 'a@karoo.co.za' },
  code: { html: '<pre>a@karoo.co.za</pre>', value: 'a@karoo.co.za' },
  quote: { html: '<q>a@karoo.co.za</q>', value: 'a@karoo.co.za' },
  user_comment: { html: '<ol class="commentlist"><li>a@karoo.co.za</ol>', value: 'a@karoo.co.za' },
  article: { html: '<article class="post"><h2>News</h2>a@karoo.co.za</article>', value: 'a@karoo.co.za' },
  credits: { html: '<p>Website by Anna, 021 555 0105</p>', value: '021 555 0105' },
  link_differs: { html: '<a href="mailto:b@karoo.co.za">a@karoo.co.za</a>', value: 'a@karoo.co.za' },
  mailto_copy: { html: '<a href="mailto:?bcc=a@karoo.co.za">Mail</a>', value: 'a@karoo.co.za' },
  written_out: { html: '<p>a [at] karoo [dot] co.za</p>', value: 'a [at] karoo [dot] co.za' },
  obfuscated: {
    html: '<a class="__cf_email__" href="/cdn-cgi/l/email-protection" data-cfemail="5435143f35263b3b7a373b7a2e35">[email&#160;protected]</a>',
    value: 'a@karoo.co.za',
  },
  other_organisation: {
    html: '<script type="application/ld+json">{"@type":"Person","email":"a@karoo.co.za"}</script>',
    value: 'a@karoo.co.za',
  },
  json_ld_only: {
    html: '<script type="application/ld+json">{"@type":"Store","url":"https://karoo.co.za","email":"a@karoo.co.za"}</script>',
    value: 'a@karoo.co.za',
  },
  confusable: { html: '<p>info@kаroo.co.za</p>', value: 'info@kаroo.co.za' },
  syntax: { html: '<a href="mailto:a..b@karoo">Mail</a>', value: 'a..b@karoo' },
  other_domain: { html: '<p>a@hantam.co.za</p>', value: 'a@hantam.co.za' },
  value_limit: {
    html: Array.from({ length: 51 }, (_, at) => `<p>a${at}@karoo.co.za</p>`).join(''),
    value: 'a50@karoo.co.za',
  },
}

export const excludedExamples: Readonly<Record<ExcludedRule, string>> = {
  script: '<script>x = "a@karoo.co.za"</script>',
  style: '<style>/* a@karoo.co.za */</style>',
  template: '<template><p>a@karoo.co.za</p></template>',
  comment: '<!-- a@karoo.co.za -->',
  attribute: '<p title="a@karoo.co.za">x</p>',
  file_name: '<p>logo@2x.png</p>',
  package_name: '<p>react@18.2.0</p>',
  handle: '<p>@karoo</p>',
  url_user: '<p>https://anna@karoo.co.za/</p>',
  placeholder: '<p>yourname@karoo.co.za</p>',
  template_leftover: '<p>{{name}}@karoo.co.za</p>',
  reserved_domain: '<p>a@karoo.test</p>',
  tracking: '<p>unsubscribe@karoo.co.za</p>',
  malformed_link: '<a href="mailto//a@karoo.co.za">x</a>',
  unclear: '<p>a@karoo.co.zab@karoo.co.za</p>',
  other_number: '<p>VAT No 0412345678</p>',
  fax: '<p>Fax 021 555 0106</p>',
  json_ld_unreadable: '<script type="application/ld+json">{"email": </script>',
}

export const protectedExamples: Readonly<Record<ProtectedRule, string>> = {
  cf_email: '<span data-cfemail="543d3a323b">[email&#160;protected]</span>',
  script_made: '<script>document.write("<a href=mailto:" + a + "@" + b)</script>',
  picture: '<img src="/img/email-address.png">',
}
