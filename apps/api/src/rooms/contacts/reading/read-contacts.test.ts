import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { valuesIn } from '../../normalization/normalization.ts'
import { parseBounds } from '../../scanning/bounds.ts'
import { quarantineRules } from '../contacts.table.ts'
import { excludedRules, protectedRules } from './found-values.ts'
import { readJsonLd } from './json-ld.rules.ts'
import { readLink } from './links.rules.ts'
import { mailsInText, syntaxOf } from './mail-in-text.rules.ts'
import { phonesInText } from './phones-in-text.rules.ts'
import { readContacts } from './read-contacts.ts'
import { excludedExamples, protectedExamples, quarantineExamples } from './rule-examples.data.ts'

type Options = {
  country?: string
  path?: string
  role?: 'start' | 'contact' | 'about' | 'other'
  format?: 'html' | 'text'
}

function read(body: string, { path = '/contact', role = 'other', format = 'html', country = 'ZA' }: Options = {}) {
  return readContacts({
    bytes: Buffer.from(body),
    contentType: null,
    format,
    url: `https://www.karoo.co.za${path}`,
    role,
    ownDomains: ['karoo.co.za'],
    names: ['Karoo Fencing (Pty) Ltd'],
    country,
    maxValues: 50,
  })
}

const rulesOf = (body: string, options?: Options) =>
  read(body, options).values.map(({ value, rule }) => `${value} ${rule}`)

describe('rules of quarantine', () => {
  test.each(quarantineRules)('%s', (rule) => {
    const { html, value } = quarantineExamples[rule]
    expect(rulesOf(html)).toContain(`${value} ${rule}`)
  })

  test('a value that is also plainly on the page is proposed', () => {
    expect(rulesOf('<p hidden>a@karoo.co.za</p><p>a@karoo.co.za</p>')).toEqual(['a@karoo.co.za null'])
  })
})

describe('elements that are not read', () => {
  test('what is nested too deeply changes no rule of the text after it', () => {
    const deep = `${'<div>'.repeat(parseBounds.nesting + 20)}<p hidden>x</p>${'</div>'.repeat(parseBounds.nesting + 20)}`
    for (const [open, close] of [
      ['<div hidden>', '</div>'],
      ['<blockquote>', '</blockquote>'],
      ['<select>', '</select>'],
    ]) {
      const { values, isWhole } = read(`${open}${deep}${close}<p>a@karoo.co.za</p>`)
      expect(values.map(({ value, rule }) => [value, rule])).toEqual([['a@karoo.co.za', null]])
      expect(isWhole).toBe(open === '<select>')
    }
  })

  test('styles, scripts, templates and noscript elements change no value of the text around them', () => {
    const skipped = fc.constantFrom(
      '<style>p { color: red }</style>',
      '<script>run("<p>x</p>")</script>',
      '<template><p>x</p><style>y</style></template>',
      '<noscript><p>Enable scripts</p></noscript>',
    )
    const pieces = ['<h2>Contact', '</h2><p>a@karoo.co.za', '</p><blockquote>b@karoo.co.za', '</blockquote>']
    const more = ['<p hidden>c@karoo.co.za</p>', '<p><a href="mailto:d@karoo.co.za">', 'd@karoo.co.za</a></p>']
    fc.assert(
      fc.property(fc.infiniteStream(fc.option(skipped, { freq: 3 })), (inserted) => {
        const next = () => inserted.next().value ?? ''
        const plain = [...pieces, ...more]
        const values = (parts: string[]) => read(parts.join(''), { path: '/' }).values
        expect(values(plain.flatMap((piece) => [next(), piece]))).toEqual(values(plain))
      }),
      { numRuns: 50 },
    )
  })
})

describe('rules of exclusion', () => {
  test.each(excludedRules)('%s', (rule) => {
    const { values, excluded } = read(excludedExamples[rule])
    expect([values, excluded[rule]]).toEqual([[], 1])
  })

  test('JSON-LD of megabytes is counted and not read', () => {
    const block = JSON.stringify({
      '@type': 'Store',
      url: 'https://karoo.co.za',
      email: 'a@karoo.co.za',
      x: 'x'.repeat(300_000),
    })
    const { values, excluded } = read(`<script type="application/ld+json">${block}</script>`)
    expect([values, excluded.json_ld_unreadable]).toEqual([[], 1])
  })
})

describe('protected values', () => {
  test.each(protectedRules)('%s is counted if it cannot be decoded', (rule) => {
    const { values, protected: counted } = read(protectedExamples[rule])
    expect([values, counted[rule]]).toEqual([[], 1])
  })
})

describe('scope', () => {
  test('a page that says neither contact nor about is not read', () => {
    expect(read('<title>Fences</title><p>a@karoo.co.za', { path: '/fences' })).toMatchObject({
      scope: 'out',
      values: [],
      excluded: {},
    })
  })

  test.each([
    ['path', { path: '/oor-ons' }, ''],
    ['title', { path: '/x' }, '<title>Contact us</title>'],
    ['heading', { path: '/x' }, '<h1>Kontak ons</h1>'],
    ['stated role', { path: '/x', role: 'about' as const }, ''],
  ])('a page is read because of its %s', (_, options, head) => {
    expect(rulesOf(`${head}<p>a@karoo.co.za</p>`, options)).toEqual(['a@karoo.co.za null'])
  })

  test('the heading of a footer or an aside does not make a page one of contact', () => {
    expect(read('<p>a@karoo.co.za</p><footer><h2>Contact us</h2>021 555 0105</footer>', { path: '/x' }).scope).toBe(
      'out',
    )
  })

  test('of a start page only the section under such a heading is read', () => {
    const html =
      '<h2>Work</h2><p>x@karoo.co.za</p><h2>Contact</h2><h3>Office</h3><p>a@karoo.co.za</p><h2>News</h2><p>y@karoo.co.za</p>'
    expect(rulesOf(html, { path: '/', role: 'contact' })).toEqual(['a@karoo.co.za null'])
  })

  test('plain text is read by its lines', () => {
    expect(rulesOf('Tel 021 555 0105\nMail a@karoo.co.za', { format: 'text' })).toEqual([
      '021 555 0105 null',
      'a@karoo.co.za null',
    ])
  })
})

describe('labels', () => {
  test.each([
    ['info', 'karoo.co.za', 'valid'],
    ["o'brien", 'karoo.co.za', 'unusual'],
    ['info', 'kärоo.co.za', 'unusual'],
    ['a..b', 'karoo.co.za', 'invalid'],
    ['.a', 'karoo.co.za', 'invalid'],
    ['a', 'karoo', 'invalid'],
    ['a', '-karoo.co.za', 'invalid'],
    ['a'.repeat(65), 'karoo.co.za', 'invalid'],
    ['a', `${'b'.repeat(64)}.co.za`, 'invalid'],
  ] as const)('the syntax of %s@%s is %s', (local, host, syntax) => {
    expect(syntaxOf(local, host)).toBe(syntax)
  })

  test('role, free mail and confidence are independent of each other', () => {
    const { values } = read('<p>info@karoo.co.za</p><p>anna@gmail.com</p><p>021 555 0105</p><p>x@hantam.co.za</p>')
    expect(
      values.map(({ value, isRole, isFreeMail, confidence }) => [value, isRole, isFreeMail, confidence.level]),
    ).toEqual([
      ['info@karoo.co.za', true, false, 'high'],
      ['anna@gmail.com', false, true, 'medium'],
      ['021 555 0105', false, false, 'medium'],
      ['x@hantam.co.za', false, false, 'low'],
    ])
  })

  test('a local number is read with the country of the workspace, and says so', () => {
    const [value] = read('<p>021 555 0105</p>').values
    expect(value).toMatchObject({ normalized: '+27215550105', uncertainty: null, region: 'ZA' })
    expect(value?.confidence.reasons).toEqual(['workspace_country'])
  })

  test('a local number that the country of the workspace does not have stays ambiguous', () => {
    expect(read('<p>021 555 0105</p>', { country: 'US' }).values).toMatchObject([
      { normalized: null, uncertainty: 'no_country_context', region: null },
    ])
  })

  test.each([
    ['a link and its text', '<a href="tel:+27215550105">021 555 0105</a>'],
    ['two lines', '<p>021 555 0105</p><p>+27 21 555 0105</p>'],
    ['a chat link', '<a href="https://wa.me/27215550105">Chat</a><p>(021) 555-0105</p>'],
  ])('one number in two notations is one value that needs no country: %s', (_, html) => {
    expect(read(html).values).toMatchObject([{ normalized: '+27215550105', region: null }])
    expect(read(html).values).toHaveLength(1)
  })

  test.each(['root', 'privacy', 'postmaster', 'abuse'])('%s@ is a role', (local) => {
    expect(read(`<p>${local}@karoo.co.za</p>`).values).toMatchObject([{ isRole: true }])
  })

  test.each(['you@example.com', 'name@domain.com', 'name@karoo.co.za', 'email@address.com', 'info@yourbrand.co.za'])(
    '%s is a placeholder or reserved',
    (address) => {
      const { values, excluded } = read(`<p>${address}</p>`)
      expect([values, (excluded.placeholder ?? 0) + (excluded.reserved_domain ?? 0)]).toEqual([[], 1])
    },
  )
})

describe('addresses that a page hides from programs', () => {
  const joomla = `<script>
    var prefix = '&#109;a' + 'i&#108;' + '&#116;o';
    var addy1 = '&#105;nf&#111;' + '&#64;';
    addy1 = addy1 + 'k&#97;r&#111;&#111;' + '&#46;' + 'c&#111;' + '&#46;' + 'z&#97;';
    document.write('<a href="' + prefix + ':' + addy1 + '">' + addy1 + '</a>');</script>`

  test.each([
    ['a link of Cloudflare', '<a href="/cdn-cgi/l/email-protection#543d3a323b143f35263b3b7a373b7a2e35">x</a>'],
    [
      'an attribute of Cloudflare',
      '<span class="__cf_email__" data-cfemail="543d3a323b143f35263b3b7a373b7a2e35">x</span>',
    ],
    ['texts that a script joins', joomla],
    [
      'names that a script joins',
      '<script>var a="info",b="karoo.co.za";document.write("<a href=mailto:"+a+"@"+b+">")</script>',
    ],
    ['escapes', '<script>document.write("info" + "\\x40karoo.co.za")</script>'],
    ['attributes that a script joins', '<a href="#" data-user="info" data-domain="karoo.co.za">Mail</a>'],
  ])('%s is decoded and quarantined', (_, html) => {
    expect(rulesOf(html)).toEqual(['info@karoo.co.za obfuscated'])
  })

  test('a plain spelling on the page ends the quarantine', () => {
    expect(rulesOf(`${joomla}<p>info@karoo.co.za</p>`)).toEqual(['info@karoo.co.za null'])
  })

  test.each([
    ['an address of others', 'document.write("<a href=\'mailto:" + "dev@webworks.co.za" + "\'>")'],
    ['a part that only the running script knows', 'document.write("<a href=\'mailto:" + who + "x@karoo.co.za\'>")'],
    ['a library', `${'x;'.repeat(5_000)}document.write("info" + "@karoo.co.za")`],
  ])('a script with %s gives no value', (_, script) => {
    const { values, protected: counted } = read(`<script>${script}</script>`)
    expect([values, counted.script_made]).toEqual([[], 1])
  })
})

describe('examples of excluded texts', () => {
  test('show what is nobody’s, and mask the rest', () => {
    const { examples } = read(
      '<p>you@example.com</p><p>anna.botha@karoo.test</p><p>VAT no 0412345678</p><p>Fax 021 555 0106</p><p>@karoofencing</p><p>noreply@karoo.co.za</p>',
    )
    expect(examples).toEqual({
      reserved_domain: ['you@example.com', 'a•••.b•••@karoo.test'],
      other_number: ['041•••••••'],
      fax: ['021 ••• ••••'],
      handle: ['@k•••'],
      tracking: ['noreply@k•••.c•.z•'],
    })
  })

  test('are at most three of a kind', () => {
    const page = Array.from({ length: 9 }, (_, at) => `<p>a${at}@karoo.test</p>`).join('')
    expect(read(page)).toMatchObject({ excluded: { reserved_domain: 9 } })
    expect(read(page).examples.reserved_domain).toHaveLength(3)
  })
})

describe('contexts', () => {
  test('every other contact value is masked, in contexts, headings and titles', () => {
    const { values, title } = read(
      '<title>Contact anna@hantam.co.za</title><h2>Call 021 555 0199</h2><p>Mail a@karoo.co.za or b@hantam.co.za, 082 555 0112</p>',
    )
    expect(title).toBe('Contact •••')
    const [, mail] = values
    expect([mail?.context, mail?.location]).toEqual(['Mail a@karoo.co.za or •••, •••', 'Call •••'])
  })

  test('at most 160 characters, whatever surrounds the value', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 900 }), fc.string({ maxLength: 900 }), (before, behind) => {
        for (const { context } of read(`<p>${before} a@karoo.co.za ${behind}</p>`).values)
          expect(context.length).toBeLessThanOrEqual(160)
      }),
      { numRuns: 50 },
    )
  })
})

describe('values that touch something', () => {
  test('an address is either the whole run of characters or nothing', () => {
    const sign = fc.constantFrom(...'abz019._-+\'/=&#%~!*|,;: ()<>"@éа’'.split(''))
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 6 }), fc.array(sign, { maxLength: 6 }), (before, behind) => {
        const text = `${before.join('')}info@karoo.co.za${behind.join('')}`
        for (const { reading, from, to, isWrittenOut } of mailsInText(text)) {
          if (reading === null || isWrittenOut) continue
          expect(text.charAt(from - 1)).not.toMatch(/[\p{L}\p{N}._+@/=&#%~!*]/u)
          expect(text.charAt(to)).not.toMatch(/[\p{L}\p{N}_+@/=&#%~*]/u)
        }
      }),
    )
  })

  test('a written-out address that touches a sign of an address is discarded whole', () => {
    const written = 'info [at] karoo [dot] co.za'
    for (const sign of ['x@', '@', '+', '_'])
      for (const text of [`${sign}${written}`, `${written}${sign}`])
        expect([text, mailsInText(text).filter(({ isWrittenOut }) => isWrittenOut)]).toEqual([text, []])
    expect(mailsInText(`Write to ${written}.`)).toMatchObject([{ isWrittenOut: true }])
  })

  test.each([
    'info (a) karoo.co.za',
    'info-at-karoo-dot-co-dot-za',
    'infoATkaroo.co.za',
    'info@karoo [dot] co.za',
    'reach us at karoo.co.za',
    'info at karoo dot co dot zainfo dot x1',
    'info [at] karoo [point] co [point] za',
    'info%40karoo.co.za',
    'info&#64;karoo.co.za',
  ])('an address as in %j is found for suppression and not kept', (text) => {
    expect(valuesIn(text).map(({ kind }) => kind)).toContain('email')
    expect(mailsInText(text).filter(({ reading }) => reading !== null)).toEqual([])
  })

  test('what is behind an address in a sentence does not change it', () => {
    for (const behind of [' . tel 021 555 0105', ' dot', '. Tel', ' at work'])
      expect(mailsInText(`info@karoo.co.za${behind}`)).toMatchObject([{ reading: { value: 'info@karoo.co.za' } }])
  })

  test.each(['021 555 0105/6', '021 555 0105 12', '2.155550105E+10', '12 021 555 0105', '1 + 021 555 0105'])(
    'a number as in %j is found for suppression and not kept',
    (text) => {
      expect(valuesIn(text).map(({ kind }) => kind)).toContain('phone')
      expect(phonesInText(text, { country: 'ZA' }).filter(({ reading }) => reading !== null)).toEqual([])
    },
  )

  test('a number is either the whole run of digits or nothing', () => {
    const sign = fc.constantFrom(...'0123456789aZ-./ ()+,:#_x'.split(''))
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 5 }), fc.array(sign, { maxLength: 5 }), (before, behind) => {
        const text = `${before.join('')}021 555 0105${behind.join('')}`
        for (const { reading, from, to } of phonesInText(text, { country: 'ZA' })) {
          if (reading === null) continue
          expect(text.charAt(from - 1)).not.toMatch(/[\p{L}\p{N}_#]/u)
          expect(text.charAt(to)).not.toMatch(/[\p{L}\p{N}_#]/u)
        }
      }),
    )
  })

  test('no text makes the rules throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        mailsInText(text)
        phonesInText(text, { country: 'ZA' })
        readLink(text, 'ZA')
        readLink(`mailto:${text}`, 'ZA')
        readLink(`tel:${text}`, 'ZA')
        readJsonLd(text, { host: 'karoo.co.za', names: [] })
      }),
    )
  })

  test.each(['a', 'a@', 'a.', '@', '-', '0', '0 ', '+', ' at ', '(at)', '1.'])(
    'a million characters of %j hold no value, and are read before the test ends',
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length)
      const found = valuesIn(text)
      const values = [...mailsInText(text, found), ...phonesInText(text, { found, country: 'ZA' })].filter(
        ({ reading }) => reading !== null,
      )
      expect(values).toEqual([])
    },
  )
})

describe('links', () => {
  test.each([
    ['mailto:a@karoo.co.za', ['a@karoo.co.za null']],
    ['MAILTO:a%40karoo.co.za', ['a@karoo.co.za null']],
    ['mailto:Anna%20%3Ca@karoo.co.za%3E;b@karoo.co.za', ['a@karoo.co.za null', 'b@karoo.co.za null']],
    ['mailto:?to=a@karoo.co.za&cc=b@karoo.co.za', ['a@karoo.co.za null', 'b@karoo.co.za mailto_copy']],
    ['mailto:a@karoo.co.za%0d%0aBcc:x@karoo.co.za', []],
    ['mailto:a@karoo,co,za', []],
    ['mailto:%zz', []],
    ['tel:+27215550105;ext=12', ['+27215550105 null']],
    ['tel:10111', []],
    ['tel:+274243061', ['+274243061 syntax']],
    ['https://wa.me/27825550112', ['+27825550112 null']],
    ['https://wa.me/0825550112', ['0825550112 null']],
    ['https://api.whatsapp.com/send?phone=082%20555%200112', ['0825550112 null']],
    ['https://wa.me/message/ABC', []],
    ['whatsapp://send?phone=%2B27825550112', ['+27825550112 null']],
    ['sms:+27825550112', undefined],
    ['https://karoo.co.za/', undefined],
    ['javascript:void(0)', undefined],
  ] as const)('%s', (href, values) => {
    expect(readLink(href, 'ZA')?.values.map(({ value, rule }) => `${value} ${rule}`)).toEqual(values)
  })
})

describe('fax numbers', () => {
  test.each([
    ['a letter in brackets', '<p>(t) 021 555 0105 (f) 021 555 0106</p>'],
    ['fax to email', '<p>Tel 021 555 0105</p><p>Fax to e-mail: 086 655 0106</p>'],
    ['fax2email', '<p>Tel 021 555 0105</p><p>Fax2Email 086 655 0106</p>'],
    [
      'faks na e-pos',
      '<table><tr><td>Tel</td><td>021 555 0105</td></tr><tr><td>Faks na e-pos</td><td>086 655 0106</td></tr></table>',
    ],
    ['an icon', '<p><i class="fas fa-phone"></i> 021 555 0105 | <i class="fas fa-fax"></i> 021 555 0106</p>'],
    ['an icon in a block of its own', '<p>021 555 0105</p><div class="icon icon-fax"></div><div>021 555 0106</div>'],
    [
      'a drawn icon',
      '<p>021 555 0105</p><p><svg class="e-font-icon-svg e-fas-fax"><path d="M0 0"/></svg>021 555 0106</p>',
    ],
    ['the class of the number', '<p>021 555 0105</p><p class="contact-fax">021 555 0106</p>'],
    ['a link', '<p>021 555 0105</p><p>Fax: <a href="tel:0215550106">021 555 0106</a></p>'],
  ])('are excluded: %s', (_, html) => {
    const { values, excluded } = read(html)
    expect([values.map(({ value }) => value), excluded]).toEqual([['021 555 0105'], { fax: 1 }])
  })

  test('a class for phones and faxes excludes no phone', () => {
    const html = '<p class="tel-fax">021 555 0105</p><p><i class="fa fa-fax"></i>Tel 021 555 0107</p>'
    expect(rulesOf(html)).toEqual(['021 555 0105 null', '021 555 0107 null'])
  })
})

describe('values that a page hides from programs', () => {
  const reversedOf = (text: string) => [...text].toReversed().join('')

  test.each([
    ['bdo', `<bdo dir="rtl">${reversedOf('a@karoo.co.za')}</bdo>`],
    ['a style', `<span style="unicode-bidi: bidi-override; direction: rtl">${reversedOf('a@karoo.co.za')}</span>`],
    ['blocks', `<div style="direction:rtl;unicode-bidi:bidi-override"><p>${reversedOf('a@karoo.co.za')}</p></div>`],
    ['a decoy', `<bdo dir="rtl">az.oc.<span style="display:none">x.</span>oorak@a</bdo>`],
  ])('a reversed text is read from its end: %s', (_, html) => {
    expect(rulesOf(`<p>Mail ${html} today</p>`)).toEqual(['a@karoo.co.za obfuscated'])
  })

  test('a reversed number is read too, and a link states its own address', () => {
    expect(rulesOf(`<p><bdo dir="rtl">${reversedOf('021 555 0105')}</bdo></p>`)).toEqual(['021 555 0105 obfuscated'])
    const link = `<a href="mailto:a@karoo.co.za"><bdo dir="rtl">${reversedOf('a@karoo.co.za')}</bdo></a>`
    expect(rulesOf(`<p>${link}</p>`)).toEqual(['a@karoo.co.za null'])
  })

  test('text that is written from right to left is not reversed', () => {
    expect(rulesOf('<p dir="rtl">a@karoo.co.za</p><p style="direction: rtl">b@karoo.co.za</p>')).toEqual([
      'a@karoo.co.za null',
      'b@karoo.co.za null',
    ])
  })

  test('parts in Base64 are decoded, and other parts are nothing', () => {
    const hidden = (first: string, last: string) =>
      `<joomla-hidden-mail first="${first}" last="${last}">Enable JavaScript.</joomla-hidden-mail>`
    const encoded = (text: string) => Buffer.from(text).toString('base64')
    expect(rulesOf(hidden(encoded('a'), encoded('karoo.co.za')))).toEqual(['a@karoo.co.za obfuscated'])
    for (const [first, last] of [
      ['a', 'karoo.co.za'],
      ['', ''],
      ['YQ==', 'YSBi'],
      ['YUBi', 'a2Fyb28uY28uemE='],
    ])
      expect(rulesOf(hidden(first ?? '', last ?? ''))).toEqual([])
  })
})

describe('parts of site builders', () => {
  test.each([
    ['a part for requests of prices', '<div class="get-a-quote"><p>a@karoo.co.za</p></div>', 'null'],
    ['a form for prices', '<section id="quote-form"><p>a@karoo.co.za</p></section>', 'null'],
    ['a quotation', '<div class="quote-block"><p>a@karoo.co.za</p></div>', 'quote'],
    ['sections in an article', '<article class="sections"><h1>Talk to us</h1><p>a@karoo.co.za</p></article>', 'null'],
    [
      'a page as an article',
      '<div class="item-page" itemtype="https://schema.org/Article"><p>a@karoo.co.za</p></div>',
      'null',
    ],
    ['news', '<div class="news-item" itemtype="https://schema.org/NewsArticle"><p>a@karoo.co.za</p></div>', 'article'],
    ['text that fades in', '<div data-w-id="1" style="opacity:0"><p>a@karoo.co.za</p></div>', 'null'],
    ['invisible text', '<div style="opacity:0"><p>a@karoo.co.za</p></div>', 'hidden'],
    ['the maker of the template', '<p>Template by Anna, a@karoo.co.za</p>', 'credits'],
  ])('%s', (_, html, rule) => {
    expect(rulesOf(html)).toEqual([`a@karoo.co.za ${rule}`])
  })

  test('a phone beside the address of somebody else is quarantined if the page has an address of its own', () => {
    const others = '<p>Complain to the regulator: desk@hantam.co.za, 021 555 0199</p>'
    expect(rulesOf(others)).toEqual(['desk@hantam.co.za other_domain', '021 555 0199 null'])
    expect(rulesOf(`${others}<p>a@karoo.co.za, 021 555 0105</p>`)).toEqual([
      'desk@hantam.co.za other_domain',
      '021 555 0199 other_domain',
      'a@karoo.co.za null',
      '021 555 0105 null',
    ])
  })

  test('values in JSON-LD and file names are no excluded addresses', () => {
    const linked =
      '<script type="application/ld+json">{"@type":"Store","name":"Karoo Fencing (Pty) Ltd","email":"a@karoo.co.za"}</script>'
    expect(read(`${linked}<img src="/logo@2x.png" alt="">`).excluded).toEqual({})
    expect(read(`${linked}<h2>Contact</h2><p>b@karoo.co.za</p>`, { path: '/' }).excluded).toEqual({ script: 1 })
  })
})

describe('JSON-LD', () => {
  test.each([
    ['comments', '<!-- {"@type":"Store","url":"https://karoo.co.za","email":"a@karoo.co.za"} -->'],
    ['control characters', '{"@type":"Store","url":"https://karoo.co.za","email":"a@karoo.co.za","x":"a\nb"}'],
    ['remarks', '/* shop */ {"@type":"Store","name":"Karoo Fencing (Pty) Ltd","email":"a@karoo.co.za"}'],
    [
      'a graph',
      '{"@graph":[{"@type":"WebSite"},{"@type":"Organization","url":"https://www.karoo.co.za/","contactPoint":{"@type":"ContactPoint","email":"a@karoo.co.za"}}]}',
    ],
  ])('with %s is read', (_, source) => {
    expect(readJsonLd(source, { host: 'www.karoo.co.za', names: ['Karoo Fencing (Pty) Ltd'] })).toEqual([
      { kind: 'email', text: 'a@karoo.co.za', isOwn: true },
    ])
  })

  test('deep nesting ends at its bound', () => {
    const deep = `${'{"a":'.repeat(2_000)}{"email":"a@karoo.co.za"}${'}'.repeat(2_000)}`
    expect(readJsonLd(deep, { host: 'karoo.co.za', names: [] })).toEqual([])
  })
})
