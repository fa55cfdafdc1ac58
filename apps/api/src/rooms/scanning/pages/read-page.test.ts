import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBounds } from '../bounds.ts'
import type { KnownFacts, PageOrder, ReadPage } from './page-facts.ts'
import { readPage } from './read-page.ts'

const nothing: KnownFacts = { names: [], registrationNumber: null, phones: [], domains: [], street: null }

function read(page: string | Buffer, changes: Partial<PageOrder> = {}): ReadPage {
  return readPage({
    bytes: typeof page === 'string' ? Buffer.from(page) : page,
    contentType: null,
    format: 'html',
    url: 'https://karoo.co.za/',
    known: nothing,
    maxBytes: 2_000_000,
    maxLinks: 500,
    ...changes,
  })
}

describe('text is read as a browser shows it', () => {
  const known: KnownFacts = { ...nothing, names: ['Karoo Windpumps'] }
  const name = (html: string) => read(html, { known }).repeats.name

  test.each([
    ['<p>Karoo <b>Wind</b>pumps</p>', 'yes'],
    ['<p>KAROO&nbsp;windpumps (Pty) Ltd</p>', 'yes'],
    ['<title>Karoo Windpumps</title>', 'yes'],
    ['<p>Karoo Wind</p><p>pumps</p>', 'no'],
    ['<script>"Karoo Windpumps"</script>', 'no'],
    ['<style>/* Karoo Windpumps */</style>', 'no'],
    ['<template>Karoo Windpumps</template>', 'no'],
    ['<noscript>Karoo Windpumps</noscript>', 'no'],
    ['<!-- Karoo Windpumps -->', 'no'],
    ['<p hidden>Karoo Windpumps</p>', 'not_known'],
    ['<p style="display:none">Karoo Windpumps</p>', 'not_known'],
    ['<style>a{}</style><script>b</script><p>Karoo Windpumps</p>', 'yes'],
    ['<p>Karoo Wind&shy;pumps</p>', 'yes'],
    ['<p>Great Karoo Windpumpsters</p>', 'no'],
  ])('%s: %s', (html, answer) => expect(name(html)).toBe(answer))

  const [start, end] = [
    '<p>We build and repair windpumps for farms in the whole district.</p>',
    '<p>Open on weekdays.</p>',
  ]
  const company: KnownFacts = {
    ...nothing,
    names: ['Karoo Plumbing'],
    phones: ['+27821234567'],
    domains: ['karoo.co.za'],
  }
  const companyOn = (html: string) => {
    const { name, phone, mailDomain } = read(`${start}${html}${end}`, { known: company }).repeats
    return { name, phone, mailDomain }
  }
  const words = 'Karoo Plumbing 082 123 4567 info@karoo.co.za'
  const unknown = { name: 'not_known', phone: 'not_known', mailDomain: 'not_known' }

  test('a page without the facts of the record states that they are missing', () => {
    const missing = { name: 'no', phone: 'no', mailDomain: 'no' }
    expect(companyOn('<script>run()</script><svg><path d="M0"/></svg><img src="x" alt="Windpump">')).toEqual(missing)
  })

  test.each([
    `<div><template shadowrootmode="open"><p>${words}</p></template></div>`,
    `<div><template shadowrootmode="closed"><div><template shadowrootmode="open">${words}</template></div></template></div>`,
    '<div><template shadowrootmode="open"><h2>Karoo Plumbing</h2><a href="tel:+27821234567">Call</a><a href="mailto:info@karoo.co.za">Write</a></template></div>',
    `<iframe srcdoc="${words}"></iframe>`,
    '<iframe src="/contact.html"></iframe>',
    '<object data="/contact.pdf"></object>',
    '<embed src="/contact.pdf">',
    '<canvas></canvas>',
    `<svg><text>${words}</text></svg>`,
    `<svg><foreignObject><p>${words}</p></foreignObject></svg>`,
    `<svg><title>${words}</title><path d="M0"/></svg>`,
    `<select><option>One<option>${words}</select>`,
    `<select><optgroup label="${words}"><option>One</select>`,
    `<textarea>${words}</textarea>`,
    `<input value="${words}">`,
    `<input placeholder="${words}">`,
    `<img src="x" alt="${words}">`,
    '<contact-card></contact-card>',
    `<p style="visibility:hidden">x <span style="visibility:visible">${words}</span></p>`,
    '<p>Karoo <b hidden>Plumbing</b> 082 123 <b hidden>4567</b> info@<b hidden>karoo.co.za</b></p>',
    '<div hidden>Karoo Plumbing <a href="tel:+27821234567">Call</a> <a href="mailto:info@karoo.co.za">Write</a></div>',
    `<input type="text" title="${words}">`,
    '<p>Loading, please wait…</p><script>run()</script>',
    '<p>Welcome.</p><script src="/app.js"></script>',
    '<script type="module">run()</script>',
    '<a href="/cdn-cgi/l/email-protection#543d3a323b"><span data-cfemail="543d3a323b">[email protected]</span></a>',
  ])('text that a person may see and that is not read, in %s, is not known', (html) =>
    expect(companyOn(html)).toEqual(unknown),
  )

  test('a fact that the page shows beside text that is not read is known', () => {
    expect(companyOn(`<iframe src="/map"></iframe><p>${words}</p><script src="/app.js"></script>`)).toEqual({
      name: 'yes',
      phone: 'yes',
      mailDomain: 'yes',
    })
  })

  test.each([
    ['<input type="hidden" value="Karoo Plumbing">', 'no'],
    ['<input type="password" value="Karoo Plumbing">', 'no'],
    ['<div hidden><a href="tel:+27821234567">Call</a></div>', 'no'],
  ])('no person sees the name in %s', (html, answer) => expect(companyOn(html).name).toBe(answer))

  test.each([
    ['Write to info [at] karoo.co.za', 'yes'],
    ['Write to info(at)karoo.co.za', 'yes'],
    ['Write to info@karoo[.]co.za', 'yes'],
    ['Write to info @ karoo.co.za', 'yes'],
    ['Write to info@shop.karoo.co.za', 'yes'],
    ['<a href="mailto:info%40karoo.co.za">Write</a>', 'yes'],
    ['<a href="mailto:?to=info%40karoo.co.za">Write</a>', 'yes'],
    ['<a href=" MAILTO:info@karoo.co.za?subject=Pumps">Write</a>', 'yes'],
    ['Write to info at karoo dot co dot za', 'not_known'],
    ['Read more about us at karoo.co.za', 'not_known'],
    ['We are @karoo.co.za', 'not_known'],
    ['<div hidden>info [at] karoo.co.za</div>', 'not_known'],
    ['Write to info@karoo.com', 'no'],
    ['<a href="https://karoo.co.za/mail">Write</a>', 'no'],
  ])('an email address at the domain in %s: %s', (html, answer) => expect(companyOn(html).mailDomain).toBe(answer))

  test.each([
    ['https://wa.me/27821234567', 'yes'],
    ['//wa.me/+27821234567/', 'yes'],
    ['https://wa.me/27821234567?text=Hello', 'yes'],
    ['https://api.whatsapp.com/send?phone=27821234567', 'yes'],
    ['https://api.whatsapp.com/send/?phone=%2B27%2082%20123%204567&text=x', 'yes'],
    ['whatsapp://send?phone=+27821234567', 'yes'],
    ['tel:%2B27%2082%20123%204567', 'yes'],
    ['sms:+27821234567?body=Hello', 'yes'],
    ['https://wa.me/27821234568', 'no'],
    ['https://other.co.za/27821234567', 'no'],
    ['https://wa.me/message/ABC', 'no'],
  ])('the phone number of the link %s: %s', (href, answer) =>
    expect(companyOn(`<a href="${href}">Contact</a>`).phone).toBe(answer),
  )

  test.each([
    ['Karoo Boring & Drilling (Pty) Ltd', 'yes'],
    ['KAROO BORING EN DRILLING', 'yes'],
    ['Karoo Boring', 'no'],
    ['Boring and Drilling Karoo', 'no'],
  ])('the name in another spelling, %s: %s', (html, answer) => {
    const { name } = read(html, { known: { ...nothing, names: ['Karoo Boring and Drilling (Pty) Ltd'] } }).repeats
    expect(name).toBe(answer)
  })

  test('a name of words for a trade can be other words of the page', () => {
    const known = { ...nothing, names: ['Fresh Fruit Supplies (Pty) Ltd'] }
    expect(read('<p>We sell fresh fruit supplies</p>', { known }).repeats.name).toBe('not_known')
  })

  test('a name of one word, without its legal form, can be another word of the page', () => {
    const nameOn = (html: string) => read(html, { known: { ...nothing, names: ['Karoo (Pty) Ltd'] } }).repeats.name
    expect([nameOn('Farms in the Karoo'), nameOn('Karoo (Pty) Ltd'), nameOn('Farms')]).toEqual([
      'not_known',
      'yes',
      'no',
    ])
  })

  test.each([
    ['<p>Kerkstraat 12, Paarl 7646</p>', 'yes'],
    ['<p>12 Church St</p>', 'yes'],
    ['<p>Kerk St 12 | 021 555 0105</p>', 'yes'],
    ['<p>12 Kerk\nStreet</p>', 'yes'],
    ['<p>We moved to Kerk Straat 12 in May</p>', 'not_known'],
    ['<p>14 Kerk Street</p>', 'no'],
  ])('the street in %j: %s', (html, answer) => {
    const { street } = read(html, { known: { ...nothing, street: '12 Kerk Street' } }).repeats
    expect(street).toBe(answer)
  })

  test('a page with too many spellings of a street or number to compare is not known', () => {
    const known = { ...nothing, street: '12 Kerk Street', registrationNumber: '2015/123456/07' }
    const html = Array.from({ length: 400 }, (_, at) => `<p>${at + 100} Kerk Laan, 2015/${200_000 + at}/07</p>`).join(
      '',
    )
    expect(read(html, { known }).repeats).toMatchObject({ street: 'not_known', registrationNumber: 'not_known' })
  })

  test.each([
    `<p>${[...'info@karoo.co.za'].toReversed().join('')}</p>`,
    '<joomla-hidden-mail first="aW5mbw==" last="a2Fyb28uY28uemE=">Enable JavaScript.</joomla-hidden-mail>',
  ])('an address that the page hides from programs is not missing: %s', (html) => {
    const hidden = html.startsWith('<p>') ? `<bdo dir="rtl">${html}</bdo>` : html
    expect(companyOn(hidden).mailDomain).toBe('not_known')
  })

  test('what a record does not say is not known', () => {
    expect(read('<p>Karoo Windpumps</p>').repeats.name).toBe('not_known')
  })

  test.each([
    ['Call 021 555 0105', 'yes'],
    ['Call +27 (0)21 555-0105', 'yes'],
    ['Call 0027215550105', 'yes'],
    ['<p>021 555 0105</p><p>12 Long Street</p>', 'yes'],
    ['021 555 0105 / 021 555 0106', 'yes'],
    ['021 555 0106 - 021 555 0105', 'yes'],
    ['<a href="tel:+27215550105">Call</a>', 'yes'],
    ['021 555 01056', 'no'],
    ['Account 1234567215550105', 'no'],
    ['021 555 0106', 'no'],
  ])('the phone in %s: %s', (html, answer) => {
    const { phone } = read(html, { known: { ...nothing, phones: ['+27215550105'] } }).repeats
    expect(phone).toBe(answer)
  })

  test.each([
    ['Reg. no 2015/123456/07', 'yes'],
    ['2015 / 123456 / 07 (Pty) Ltd', 'yes'],
    ['201512345607', 'yes'],
    ['K2015123456', 'yes'],
    ['CK 2015/123456', 'yes'],
    ['12015/123456/07', 'no'],
    ['2015/123456/08', 'no'],
    ['0820151234560', 'no'],
  ])('the registration number in %s: %s', (html, answer) => {
    const { registrationNumber } = read(html, { known: { ...nothing, registrationNumber: '2015/123456/07' } }).repeats
    expect(registrationNumber).toBe(answer)
  })
})

describe('charsets', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1')
  test.each<[string, Buffer, string | null, Partial<ReadPage['charset']>]>([
    [
      'a byte order mark',
      Buffer.from('\ufeff<p>é</p>'),
      'text/html; charset=iso-8859-1',
      { from: 'byte_order_mark', name: 'utf-8' },
    ],
    ['the header', latin('<p>\xe9</p>'), 'text/html; charset=iso-8859-1', { from: 'header', name: 'windows-1252' }],
    ['an unknown header', Buffer.from('<p>é</p>'), 'text/html; charset=klingon', { from: 'valid_utf8' }],
    [
      'the document',
      latin('<meta charset=windows-1252><p>\xe9</p>'),
      null,
      { from: 'document', name: 'windows-1252', isDoubtful: false },
    ],
    ['valid UTF-8', Buffer.from('<p>café</p>'), null, { from: 'valid_utf8', name: 'utf-8', isDoubtful: false }],
    ['an assumption', latin('<p>caf\xe9</p>'), null, { from: 'assumed', name: 'windows-1252', isDoubtful: true }],
    [
      'bytes that do not fit',
      latin('<meta charset=utf-8><p>caf\xe9</p>'),
      null,
      { from: 'document', isDoubtful: true },
    ],
  ])('%s', (_case, bytes, contentType, expected) => {
    const page = read(bytes, { contentType })
    expect(page.charset).toMatchObject(expected)
    expect(page.reasons.includes('charset_doubtful')).toBe(page.charset.isDoubtful)
  })

  test('a sequence that the size limit cuts in two does not make a page doubtful', () => {
    const page = Buffer.from('<p>café</p>')
    expect(read(page, { maxBytes: 7 }).charset).toMatchObject({ name: 'utf-8', from: 'valid_utf8' })
  })
})

test('a text of 250,000 words is one node and is read as a whole', () => {
  expect(read(`<p>${'fence '.repeat(250_000)}</p>`).reasons).toEqual([])
})

describe('hostile pages end at a bound', () => {
  test('4 kB that grow to 90,000 nodes, and more', () => {
    const bomb = (tags: number, paragraphs: number) =>
      `<p>${Array.from({ length: tags }, (_, at) => `<b id=${at}>`).join('')}${'<p>x'.repeat(paragraphs)}`
    expect(read(bomb(200, 400)).reasons).toEqual([])
    const larger = read(bomb(300, 1_000))
    expect(larger.reasons).toEqual(['node_limit'])
    expect(larger.counts?.text).toBeGreaterThan(0)
  })

  test('elements nested deeper than the bound are not read', () => {
    const deep = `${'<div>'.repeat(parseBounds.nesting + 10)}Karoo Windpumps`
    expect(read(`<p>Seen</p>${deep}`)).toMatchObject({ reasons: ['depth_limit'], counts: { text: 4 } })
    expect(read(`${'<div>'.repeat(parseBounds.nesting - 10)}Seen`).reasons).toEqual([])
  })

  test('links beyond the bound are counted and not examined', () => {
    const links = '<a href="/x">x</a>'.repeat(5)
    expect(read(`${links}<a href="/contact">Contact</a>`, { maxLinks: 5 })).toMatchObject({
      counts: { links: 6 },
      links: [],
      reasons: ['link_limit'],
    })
  })

  test('whatever the bytes, a page is read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.constantFrom('html', 'text'), (bytes, format) => {
        expect(read(Buffer.from(bytes), { format }).counts).not.toBeNull()
      }),
    )
  })
})

describe('further pages', () => {
  test.each([
    ['<a href="/contact">x</a>', [{ url: 'https://karoo.co.za/contact', role: 'contact' }]],
    [
      '<a href="https://www.karoo.co.za/kontak-ons#map">x</a>',
      [{ url: 'https://www.karoo.co.za/kontak-ons', role: 'contact' }],
    ],
    ['<a href="/p?id=4"><span>Oor</span> ons</a>', [{ url: 'https://karoo.co.za/p?id=4', role: 'about' }]],
    [
      '<base href="/en/"><a href="about-us.html">x</a>',
      [{ url: 'https://karoo.co.za/en/about-us.html', role: 'about' }],
    ],
    ['<a href="/contact" rel="noopener nofollow">x</a>', []],
    ['<a href="https://other.co.za/contact">x</a>', []],
    ['<a href="https://shop.karoo.co.za/contact">x</a>', []],
    ['<a href="http://karoo.co.za/contact">x</a>', []],
    ['<a href="https://karoo.co.za:8443/contact">x</a>', []],
    ['<a href="mailto:contact@karoo.co.za">Contact</a>', []],
    ['<a href="javascript:contact()">Contact</a>', []],
    ['<a href="#contact">Contact</a>', []],
    ['<a href="/contractors">x</a>', []],
    ['<base href="https://other.co.za/"><a href="contact">x</a>', []],
    ['<a>Contact</a>', []],
  ])('%s', (html, links) => expect(read(html).links).toEqual(links))
})

test('a page that says it is of another host names that host', () => {
  expect(read('<link rel="canonical" href="https://other.co.za/x">').otherHosts).toEqual(['other.co.za'])
  expect(read('<meta property="og:url" content="https://other.co.za/">').otherHosts).toEqual(['other.co.za'])
  expect(read('<!-- saved from url=(0020)https://other.co.za/ -->').otherHosts).toEqual(['other.co.za'])
  expect(
    read('<link rel="canonical" href="https://www.karoo.co.za/"><a href="https://other.co.za">x</a>').otherHosts,
  ).toEqual([])
})

test('words of a parked, unfinished, walled or missing page count on a short page and in a title', () => {
  expect(read('<title>This domain is for sale</title>').words).toEqual(['parked'])
  expect(read('<h1>Coming soon</h1>').words).toEqual(['unfinished'])
  expect(read('<p>Verify you are human</p>').words).toEqual(['wall'])
  expect(read('<p>404 Not Found</p>').words).toEqual(['not_found'])
  expect(read(`<p>${'Fences of every kind. '.repeat(200)}New sizes coming soon</p>`).words).toEqual([])
})
