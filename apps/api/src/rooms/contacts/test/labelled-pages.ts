/*
 * Pages in the manner of South African sites, each with the values that a person would review as those of the business (`open`). The record is "Karoo
 * Fencing", with the site karoo.co.za. Every other value on these pages belongs to somebody else, is uncertain, or is none.
 */

export type LabelledPage = {
  name: string
  path?: string
  role?: 'start' | 'contact' | 'about' | 'other'
  html: string
  open: readonly string[]
}

const contact = (body: string) =>
  `<!doctype html><html><head><title>Contact us | Karoo Fencing</title></head><body>${body}</body></html>`

export const labelledPages: readonly LabelledPage[] = [
  // Plain pages of small businesses.
  {
    name: 'paragraphs',
    html: contact('<h1>Contact us</h1><p>Tel: 021 555 0105</p><p>Email: info@karoo.co.za</p>'),
    open: ['021 555 0105', 'info@karoo.co.za'],
  },
  {
    name: 'label glued to the address',
    html: contact('<p>Email:info@karoo.co.za</p><p>Tel:021-555-0105</p>'),
    open: ['info@karoo.co.za', '021-555-0105'],
  },
  { name: 'brackets around the area', html: contact('<p>(021) 555 0105</p>'), open: ['(021) 555 0105'] },
  { name: 'dots in a cell number', html: contact('<p>Sel: 082.555.0112</p>'), open: ['082.555.0112'] },
  { name: 'share call', html: contact('<p>Call 0860 11 22 33 today</p>'), open: ['0860 11 22 33'] },
  { name: 'international with trunk', html: contact('<p>T +27 (0)21 555 0105</p>'), open: ['+27 (0)21 555 0105'] },
  { name: 'international compact', html: contact('<p>WhatsApp: +27825550112</p>'), open: ['+27825550112'] },
  { name: 'international with hyphens', html: contact('<p>Phone: +27-82-555-0112</p>'), open: ['+27-82-555-0112'] },
  {
    name: 'two numbers with a slash',
    html: contact('<p>021 555 0105 / 082 555 0112</p>'),
    open: ['021 555 0105', '082 555 0112'],
  },
  {
    name: 'two numbers with a comma',
    html: contact('<p>0215550105, 0825550112</p>'),
    open: ['0215550105', '0825550112'],
  },
  {
    name: 'two numbers with or',
    html: contact('<p>021 555 0105 or 082 555 0112</p>'),
    open: ['021 555 0105', '082 555 0112'],
  },
  { name: 'a sentence', html: contact('<p>Write to info@karoo.co.za.</p>'), open: ['info@karoo.co.za'] },
  { name: 'a hyphen behind', html: contact('<p>info@karoo.co.za- Monday to Friday</p>'), open: ['info@karoo.co.za'] },
  {
    name: 'angle brackets',
    html: contact('<p>Karoo Fencing &lt;sales@karoo.co.za&gt;</p>'),
    open: ['sales@karoo.co.za'],
  },
  {
    name: 'quotes',
    html: contact("<p>Mail “navrae@karoo.co.za” or 'kantoor@karoo.co.za'</p>"),
    open: ['navrae@karoo.co.za', 'kantoor@karoo.co.za'],
  },
  {
    name: 'line breaks',
    html: contact('<p>Pieter<br>082 555 0112<br>pieter@karoo.co.za<br>Caledon</p>'),
    open: ['082 555 0112', 'pieter@karoo.co.za'],
  },
  {
    name: 'a table',
    html: contact(
      '<table><tr><td>Office</td><td>028 212 0105</td></tr><tr><td>E-mail</td><td>office@karoo.co.za</td></tr></table>',
    ),
    open: ['028 212 0105', 'office@karoo.co.za'],
  },
  {
    name: 'a definition list',
    html: contact('<dl><dt>Telephone</dt><dd>028 212 0105</dd><dt>E-pos</dt><dd>kantoor@karoo.co.za</dd></dl>'),
    open: ['028 212 0105', 'kantoor@karoo.co.za'],
  },
  {
    name: 'inline elements',
    html: contact('<p><b>E:</b> <span>info</span><span>@karoo.co.za</span></p>'),
    open: ['info@karoo.co.za'],
  },
  { name: 'a soft break', html: contact('<p>info@<wbr>karoo.co.za</p>'), open: ['info@karoo.co.za'] },
  {
    name: 'Afrikaans',
    path: '/kontak',
    html: '<title>Kontak ons</title><h1>Kontak ons</h1><p>Skakel 028 212 0105 of stuur ’n e-pos aan navrae@karoo.co.za</p>',
    open: ['028 212 0105', 'navrae@karoo.co.za'],
  },
  {
    name: 'several people',
    html: contact('<h2>Our team</h2><p>Anna: anna@karoo.co.za</p><p>Ben: ben@karoo.co.za, 072 555 0199</p>'),
    open: ['anna@karoo.co.za', 'ben@karoo.co.za', '072 555 0199'],
  },
  {
    name: 'free mail',
    html: contact('<p>karoofencing@gmail.com</p><p>083 555 0144</p>'),
    open: ['karoofencing@gmail.com', '083 555 0144'],
  },
  { name: 'free mail of a provider', html: contact('<p>karoofence@mweb.co.za</p>'), open: ['karoofence@mweb.co.za'] },
  { name: 'a subdomain', html: contact('<p>orders@shop.karoo.co.za</p>'), open: ['orders@shop.karoo.co.za'] },
  { name: 'upper case', html: contact('<p>INFO@KAROO.CO.ZA</p>'), open: ['INFO@KAROO.CO.ZA'] },
  { name: 'a plus part', html: contact('<p>quotes+web@karoo.co.za</p>'), open: ['quotes+web@karoo.co.za'] },
  { name: 'an extension', html: contact('<p>021 555 0105 x12</p>'), open: ['021 555 0105 x12'] },
  { name: 'a non-breaking space', html: contact('<p>021&nbsp;555&nbsp;0105</p>'), open: ['021 555 0105'] },
  { name: 'an en dash', html: contact('<p>021–555–0105</p>'), open: ['021–555–0105'] },
  { name: 'opening hours beside', html: contact('<p>Mon-Fri 08:00 - 17:00, 021 555 0105</p>'), open: ['021 555 0105'] },
  { name: 'tel and fax', html: contact('<p>Tel: 021 555 0105</p><p>Fax: 021 555 0106</p>'), open: ['021 555 0105'] },
  {
    name: 'tel and fax on one line',
    html: contact('<p>T: 021 555 0105 | F: 021 555 0106</p>'),
    open: ['021 555 0105'],
  },
  {
    name: 'an address element',
    html: contact('<address>12 Church Street, Caledon 7230<br>028 212 0105<br>info@karoo.co.za</address>'),
    open: ['028 212 0105', 'info@karoo.co.za'],
  },
  { name: 'a heading with the number', html: contact('<h2>Call 028 212 0105</h2>'), open: ['028 212 0105'] },
  {
    name: 'branches',
    html: contact('<h3>Caledon</h3><p>028 212 0105</p><h3>Worcester</h3><p>023 342 0177</p>'),
    open: ['028 212 0105', '023 342 0177'],
  },

  // Links.
  { name: 'mailto', html: contact('<a href="mailto:info@karoo.co.za">Email us</a>'), open: ['info@karoo.co.za'] },
  {
    name: 'mailto with the same text',
    html: contact('<a href="mailto:info@karoo.co.za">info@karoo.co.za</a>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'mailto with a subject',
    html: contact('<a href="mailto:info@karoo.co.za?subject=Quote%20please">Get a quote</a>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'mailto with entities',
    html: contact('<a href="&#109;ailto:info&#64;karoo.co.za">Mail</a>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'mailto with percent signs',
    html: contact('<a href="mailto:info%40karoo.co.za">Mail</a>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'mailto list',
    html: contact('<a href="mailto:info@karoo.co.za,sales@karoo.co.za">Mail both</a>'),
    open: ['info@karoo.co.za', 'sales@karoo.co.za'],
  },
  { name: 'tel', html: contact('<a href="tel:+27215550105">Call us</a>'), open: ['+27215550105'] },
  {
    name: 'tel with a local text',
    html: contact('<a href="tel:+27215550105">021 555 0105</a>'),
    open: ['+27215550105'],
  },
  { name: 'tel with slashes', html: contact('<a href="tel://0215550105">Call</a>'), open: ['0215550105'] },
  { name: 'chat', html: contact('<a href="https://wa.me/27825550112">Chat</a>'), open: ['+27825550112'] },
  {
    name: 'chat with a text',
    html: contact('<a href="https://api.whatsapp.com/send?phone=27825550112&text=Hi">WhatsApp 082 555 0112</a>'),
    open: ['+27825550112'],
  },
  {
    name: 'an icon that links',
    html: contact('<a href="mailto:info@karoo.co.za"><i class="icon"></i></a>'),
    open: ['info@karoo.co.za'],
  },

  // Structured data that a reader sees.
  {
    name: 'microdata',
    html: contact(
      '<div itemscope itemtype="https://schema.org/LocalBusiness"><span itemprop="telephone">021 555 0105</span> <span itemprop="email">info@karoo.co.za</span></div>',
    ),
    open: ['021 555 0105', 'info@karoo.co.za'],
  },
  {
    name: 'inline elements that are glued',
    html: contact('<div><span>021 555 0105</span><span>info@karoo.co.za</span></div>'),
    open: [],
  },
  {
    name: 'microdata in blocks',
    html: contact(
      '<div itemscope><p itemprop="telephone">021 555 0105</p><p itemprop="email">info@karoo.co.za</p></div>',
    ),
    open: ['021 555 0105', 'info@karoo.co.za'],
  },
  {
    name: 'h-card',
    html: contact(
      '<div class="h-card"><p class="p-tel">021 555 0105</p><a class="u-email" href="mailto:info@karoo.co.za">mail</a></div>',
    ),
    open: ['021 555 0105', 'info@karoo.co.za'],
  },
  {
    name: 'hCard',
    html: contact(
      '<div class="vcard"><div class="tel">021 555 0105</div><div class="email">info@karoo.co.za</div></div>',
    ),
    open: ['021 555 0105', 'info@karoo.co.za'],
  },
  {
    name: 'JSON-LD beside the text',
    html: contact(
      '<script type="application/ld+json">{"@type":"LocalBusiness","name":"Karoo Fencing","email":"info@karoo.co.za"}</script><p>info@karoo.co.za</p>',
    ),
    open: ['info@karoo.co.za'],
  },

  // Site builders.
  {
    name: 'a page in an article',
    html: contact('<article class="page type-page"><h1>Contact</h1><p>info@karoo.co.za</p></article>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'an article headed contact',
    html: contact('<article><h1>Contact us</h1><p>028 212 0105</p></article>'),
    open: ['028 212 0105'],
  },
  {
    name: 'builder markup',
    html: contact('<div class="et_pb_text"><div><p><span style="color:#333">Cell: 082 555 0112</span></p></div></div>'),
    open: ['082 555 0112'],
  },
  {
    name: 'a footer with credits',
    html: contact(
      '<p>info@karoo.co.za</p><footer>© 2026 Karoo Fencing | Website by WebWorks 021 555 0900 hello@webworks.co.za</footer>',
    ),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'a credits class',
    html: contact('<p>028 212 0105</p><div class="site-info">Proudly made, 021 555 0900</div>'),
    open: ['028 212 0105'],
  },
  {
    name: 'an about page',
    path: '/about-us',
    html: '<title>About us</title><h1>About us</h1><p>Since 1984. Speak to Gert on 083 555 0177.</p>',
    open: ['083 555 0177'],
  },
  {
    name: 'a start page with a section',
    path: '/',
    role: 'start',
    html: '<title>Karoo Fencing</title><h1>Fences</h1><p>Partner: 021 555 0999</p><h2>Contact us</h2><p>028 212 0105</p><p>info@karoo.co.za</p><h2>News</h2><p>press@karoo.co.za</p>',
    open: ['028 212 0105', 'info@karoo.co.za'],
  },
  {
    name: 'a start page with a subsection',
    path: '/',
    html: '<title>Karoo</title><h2>Kontak ons</h2><h3>Kantoor</h3><p>028 212 0105</p><h2>Galery</h2><p>021 555 0999</p>',
    open: ['028 212 0105'],
  },
  { name: 'a start page without a section', path: '/', html: '<title>Karoo</title><p>028 212 0105</p>', open: [] },
  {
    name: 'another page',
    path: '/fences',
    html: '<title>Fences</title><h1>Fences</h1><p>028 212 0105 info@karoo.co.za</p>',
    open: [],
  },
  {
    name: 'a stated role',
    path: '/p7',
    role: 'contact',
    html: '<title>Karoo</title><p>028 212 0105</p>',
    open: ['028 212 0105'],
  },

  // Values that are none.
  {
    name: 'file names',
    html: contact('<p>logo@2x.png hero@3x.jpg icon@1.5x.webp sprite@2x.media</p><p>info@karoo.co.za</p>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'package names',
    html: contact('<p>react@18.2.0 @scope/lib@1.0.0 vue@next</p><p>info@karoo.co.za</p>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'handles',
    html: contact('<p>@karoofencing @karoo@mastodon.social</p><p>info@karoo.co.za</p>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'user parts',
    html: contact('<p>https://user@host.co.za/x git@github.com:org/repo.git ssh://git@karoo.co.za</p>'),
    open: [],
  },
  {
    name: 'placeholders',
    html: contact(
      '<input placeholder="you@karoo.co.za"><p>e.g. yourname@domain.com, john.doe@karoo.co.za, user@example.com</p><p>012 345 6789</p><p>000 000 0000</p>',
    ),
    open: [],
  },
  {
    name: 'template leftovers',
    html: contact('<p>{{email}}@karoo.co.za %EMAIL%@karoo.co.za info@mysite.com</p>'),
    open: [],
  },
  { name: 'reserved domains', html: contact('<p>info@karoo.test admin@localhost sales@karoo.example</p>'), open: [] },
  {
    name: 'tracking',
    html: contact(
      '<p>unsubscribe@karoo.co.za bounce+12@karoo.co.za noreply@karoo.co.za 605a7baede844d278b89dc95ae0a9123@sentry-next.wixpress.com</p>',
    ),
    open: [],
  },
  {
    name: 'scripts and styles',
    html: contact(
      '<script>var mail="dev@karoo.co.za"</script><style>.a@b.co.za{}</style><!-- old@karoo.co.za --><template><p>t@karoo.co.za</p></template><noscript>ns@karoo.co.za</noscript><p data-mail="attr@karoo.co.za">021 555 0105</p>',
    ),
    open: ['021 555 0105'],
  },
  {
    name: 'identity, tax and bank numbers',
    html: contact(
      '<p>VAT No: 0412345678</p><p>Reg no 2004/012345/07</p><p>ID 8001015009087</p><p>Account number: 0620123457</p><p>Practice No: 0123457</p><p>Tel 021 555 0105</p>',
    ),
    open: ['021 555 0105'],
  },
  {
    name: 'a bank table',
    html: contact(
      '<table><tr><td>Account no</td><td>0620123457</td></tr><tr><td>Branch code</td><td>0250655123</td></tr></table>',
    ),
    open: [],
  },
  {
    name: 'dates, prices and coordinates',
    html: contact('<p>01-02-2026 10:00, 2026/11/25 08, R 1 200 000.00, -33.924870, 18.424055, 01.12.2025 0812</p>'),
    open: [],
  },
  {
    name: 'stock numbers',
    html: contact('<p>SKU 0215550115-XL, part 0215550116, A0215550117, #0215550118</p>'),
    open: [],
  },
  {
    name: 'glued values',
    html: contact('<p>info@karoo.co.zasales@karoo.co.za info@karoo.co.zaTel 021 555 01050215550106</p>'),
    open: [],
  },
  { name: 'a cut number', html: contact('<p>021 555 0105/6</p>'), open: [] },
  { name: 'an apostrophe', html: contact('<p>jan.o’neil@karoo.co.za</p>'), open: [] },
  {
    name: 'cells outside a table',
    html: contact('<div><td>021 555 0105</td><td>info@karoo.co.za</td></div>'),
    open: [],
  },

  // Values of others, or uncertain ones.
  {
    name: 'another domain',
    html: contact('<p>info@karoo.co.za</p><p>Our bookkeeper: anna@syfers.co.za</p>'),
    open: ['info@karoo.co.za'],
  },
  { name: 'a homograph', html: contact('<p>info@kаroo.co.za</p><p>sаles@karoo.co.za</p>'), open: [] },
  {
    name: 'a blog',
    html: contact(
      '<article class="post"><h2>Drought</h2><p>Call 021 555 0777 or help@karoo.co.za</p></article><p>info@karoo.co.za</p>',
    ),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'a testimonial',
    html: contact('<blockquote>Great! Call me on 083 555 0666</blockquote><p>028 212 0105</p>'),
    open: ['028 212 0105'],
  },
  {
    name: 'comments of visitors',
    html: contact('<p>028 212 0105</p><div id="comments"><p>Mail me: sannie@gmail.com</p></div>'),
    open: ['028 212 0105'],
  },
  {
    name: 'code',
    html: contact('<code>curl -u admin@karoo.co.za</code><p>info@karoo.co.za</p>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'hidden by markup',
    html: contact('<p style="display:none">trap@karoo.co.za</p><p hidden>021 555 0666</p><p>info@karoo.co.za</p>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'a decoy inside',
    html: contact('<p>info<span style="display:none">.no.spam</span>@karoo.co.za</p>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'a link that differs',
    html: contact(
      '<p><a href="tel:+274243061">+27 (011) 425 3061</a></p><p><a href="mailto:theme@karoo.co.za">info@karoo.co.za</a></p>',
    ),
    open: [],
  },
  {
    name: 'copies of a mailto',
    html: contact('<a href="mailto:info@karoo.co.za?cc=boss@karoo.co.za&amp;body=Ask%20anna@karoo.co.za">Mail</a>'),
    open: ['info@karoo.co.za'],
  },
  {
    name: 'written out',
    html: contact('<p>info [at] karoo [dot] co.za, sales(at)karoo.co.za, anna at karoo dot co dot za</p>'),
    open: [],
  },
  {
    name: 'JSON-LD only',
    html: contact(
      '<script type="application/ld+json">{"@type":"LocalBusiness","name":"Karoo Fencing","telephone":"+27 21 555 0105"}</script><p>Visit us.</p>',
    ),
    open: [],
  },
  {
    name: 'JSON-LD of another',
    html: contact(
      '<script type="application/ld+json">{"@type":"Organization","name":"WebWorks","url":"https://webworks.co.za","email":"hello@webworks.co.za"}</script>',
    ),
    open: [],
  },
  {
    name: 'protected',
    html: contact(
      '<a href="/cdn-cgi/l/email-protection#a1" data-cfemail="a1">[email&#160;protected]</a><script>document.write("<a href=\'mailto:" + x + "\'>")</script><img src="/img/email-address.png" alt="">',
    ),
    open: [],
  },
  {
    name: 'malformed schemes',
    html: contact(
      '<a href="mailto//info@karoo.co.za">a</a><a href="mail:info@karoo.co.za">b</a><a href="mailto:mailto:info@karoo.co.za">c</a><a href="tel:call-me">d</a>',
    ),
    open: [],
  },
  {
    name: 'many addresses in an article',
    html: contact(
      `<article class="post"><h2>Signatories</h2>${Array.from({ length: 362 }, (_, at) => `<p>person${at}@gmail.com</p>`).join('')}</article>`,
    ),
    open: [],
  },
]
