import { readFile } from 'node:fs/promises'

/*
 * Ten saved pages in the markup of site builders that small South African businesses use, each with what a person reads on it. Businesses, names,
 * domains and numbers are invented. The expectations are what a person reads on the pages, not what the reader returned.
 */

export type SitePage = {
  /** name of the file beside this one, without its ending */
  file: string
  builder: string
  url: string
  role: 'start' | 'contact' | 'about'
  contentType: string
  /** the prospect of the page */
  record: {
    name: string
    registrationNumber: string | null
    domain: string
    street: string
  }
  title: string
  /** the first lines of its text, as a browser shows them without style sheets */
  firstLines: readonly string[]
  /** answers to which of these facts of the record are on the page */
  repeats: Record<'name' | 'registrationNumber' | 'mailDomain' | 'street', 'yes' | 'no' | 'not_known'>
  /** one line for each value: kind, normalized value, state, rule of quarantine, labels */
  candidates: readonly string[]
  /** texts that resemble a value and are none, by rule */
  excluded: Readonly<Record<string, number>>
  /** values that only a script or a picture shows, by rule */
  protected: Readonly<Record<string, number>>
}

const utf8 = 'text/html; charset=utf-8'

export const sitePages: readonly SitePage[] = [
  {
    file: 'elementor-contact',
    builder: 'WordPress with Elementor',
    url: 'https://www.blouwater-besproeiing.co.za/contact-us/',
    role: 'contact',
    contentType: utf8,
    record: {
      name: 'Blouwater Besproeiing',
      registrationNumber: '2011/034567/07',
      domain: 'blouwater-besproeiing.co.za',
      street: '14 Voortrekker Street',
    },
    title: 'Contact Us - Blouwater Besproeiing',
    firstLines: ['Skip to content', '023 555 0141', 'info@blouwater-besproeiing.co.za'],
    repeats: { name: 'yes', registrationNumber: 'yes', mailDomain: 'yes', street: 'yes' },
    candidates: [
      'phone +27235550141 open',
      'email info@blouwater-besproeiing.co.za open role',
      'phone +27825550142 open',
      'email quotes@blouwater-besproeiing.co.za open role',
      'email werkswinkel@blouwater-besproeiing.co.za quarantined obfuscated role',
      'email accounts@blouwater-besproeiing.co.za quarantined json_ld_only role',
      'email hello@webskeppers-ceres.co.za quarantined credits role',
      'email cookies@blouwater-besproeiing.co.za quarantined hidden',
    ],
    excluded: { fax: 1, attribute: 1, script: 1 },
    protected: {},
  },
  {
    file: 'wix-contact',
    builder: 'Wix',
    url: 'https://www.duikersfontein-bande.co.za/contact',
    role: 'contact',
    contentType: utf8,
    record: {
      name: 'Duikersfontein Bande',
      registrationNumber: '2003/055123/23',
      domain: 'duikersfontein-bande.co.za',
      street: 'De Kock Street 88',
    },
    title: 'CONTACT | Duikersfontein Bande',
    firstLines: ['top of page', 'Bel ons: 053-555-0161', 'HOME'],
    repeats: { name: 'yes', registrationNumber: 'yes', mailDomain: 'yes', street: 'yes' },
    candidates: [
      'phone +27535550161 open',
      'phone +27835550162 open',
      'email verkope@duikersfontein-bande.co.za open role',
      'email duikersbande@gmail.com open free mail',
    ],
    excluded: { attribute: 1, script: 3 },
    protected: {},
  },
  {
    file: 'squarespace-about',
    builder: 'Squarespace',
    url: 'https://www.rooibosrand-architects.co.za/about',
    role: 'about',
    contentType: utf8,
    record: {
      name: 'Rooibosrand Architects CC',
      registrationNumber: '2009/055517/23',
      domain: 'rooibosrand-architects.co.za',
      street: '3 Kerk Street',
    },
    title: 'Studio — Rooibosrand Architects',
    firstLines: ['Rooibosrand Architects', 'Studio', 'Enquire', 'Buildings of stone and shade.'],
    repeats: { name: 'yes', registrationNumber: 'yes', mailDomain: 'yes', street: 'yes' },
    candidates: [
      'email nomvula@rooibosrand-architects.co.za open',
      'phone +27825550172 open',
      'email dirk@rooibosrand-architects.co.za quarantined written_out',
      'phone +27835550911 quarantined quote',
      'email studio@rooibosrand-architects.co.za open',
      'phone +27275550171 open',
      'email privacy@rooibosrand-architects.co.za quarantined hidden role',
    ],
    excluded: { attribute: 1, script: 2 },
    protected: {},
  },
  {
    file: 'shopify-contact',
    builder: 'Shopify',
    url: 'https://kalahari-sout.co.za/pages/contact',
    role: 'contact',
    contentType: utf8,
    record: {
      name: 'Kalahari Sout',
      registrationNumber: '2014/055518/07',
      domain: 'kalahari-sout.co.za',
      street: '12 Soutpan Road',
    },
    title: 'Contact – Kalahari Sout',
    firstLines: ['Skip to content', 'Free delivery over R500 · Order by phone: 054 555 0181', 'Kalahari Sout'],
    repeats: { name: 'yes', registrationNumber: 'no', mailDomain: 'yes', street: 'yes' },
    candidates: [
      'phone +27545550181 open',
      'email support@kalahari-sout.co.za open role',
      'email handel@kalahari-sout.co.za open',
      'phone +27725550182 open',
      'email pop@kalahari-sout.co.za open',
    ],
    excluded: { other_number: 3, unclear: 1, attribute: 1, script: 1 },
    protected: {},
  },
  {
    file: 'table-kontak',
    builder: 'tables by hand',
    url: 'https://www.vaalkop-vervoer.co.za/kontak.htm',
    role: 'contact',
    contentType: 'text/html',
    record: {
      name: 'Vaalkop Vervoer BK',
      registrationNumber: null,
      domain: 'vaalkop-vervoer.co.za',
      street: 'Murray Avenue 5',
    },
    title: 'Vaalkop Vervoer - Kontak ons',
    firstLines: ['Vaalkop Vervoer BK', 'Tuis', 'Dienste', 'Kontak ons', 'Tariewe (PDF)', 'Waar om ons te kry'],
    repeats: { name: 'yes', registrationNumber: 'not_known', mailDomain: 'yes', street: 'no' },
    candidates: [
      'phone +27125550191 open',
      'phone +27825550194 open',
      'email vervoer@vaalkop-vervoer.co.za open',
      'email besprekings@vaalkop-vervoer.co.za quarantined obfuscated role',
      'phone +27835550900 quarantined credits',
      'email kobus@kobus-webdienste.co.za quarantined credits',
    ],
    excluded: { fax: 2, unclear: 1, other_number: 1 },
    protected: { picture: 1 },
  },
  {
    file: 'weebly-contact',
    builder: 'Weebly',
    url: 'https://www.sederdal-guestfarm.co.za/contact--directions.html',
    role: 'contact',
    contentType: utf8,
    record: {
      name: 'Sederdal Guest Farm',
      registrationNumber: null,
      domain: 'sederdal-guestfarm.co.za',
      street: 'R364',
    },
    title: 'Contact & Directions - Sederdal Guest Farm',
    firstLines: ['Sederdal Guest Farm', 'Home', 'Rates', 'Contact & Directions', 'Come and breathe', 'Bookings'],
    repeats: { name: 'yes', registrationNumber: 'not_known', mailDomain: 'yes', street: 'yes' },
    candidates: [
      'phone +27275550201 open',
      'phone +27275550202 open',
      'phone +27845550203 open',
      'email bookings@sederdal-guestfarm.co.za quarantined written_out role',
      'email marietjie@sederdal-guestfarm.co.za quarantined obfuscated',
      'phone +27215550990 quarantined other_domain',
      'email permits@kaapsebos-reserwe.org.za quarantined other_domain',
    ],
    excluded: { other_number: 1, script: 1 },
    protected: {},
  },
  {
    file: 'godaddy-home',
    builder: 'GoDaddy',
    url: 'https://umkhiwane-cleaning.co.za/',
    role: 'start',
    contentType: utf8,
    record: {
      name: 'Umkhiwane Cleaning CC',
      registrationNumber: '2007/055521/23',
      domain: 'umkhiwane-cleaning.co.za',
      street: '21 Fig Tree Road',
    },
    title: 'Umkhiwane Cleaning',
    firstLines: ['031 555 0211', 'Offices and flats that smell of nothing'],
    repeats: { name: 'yes', registrationNumber: 'yes', mailDomain: 'yes', street: 'yes' },
    candidates: [
      'phone +27715550212 open',
      'phone +27315550211 open',
      'email admin@umkhiwane-cleaning.co.za open role',
    ],
    excluded: { script: 1 },
    protected: {},
  },
  {
    file: 'webflow-about',
    builder: 'Webflow',
    url: 'https://www.ebbehout-law.co.za/about',
    role: 'about',
    contentType: utf8,
    record: {
      name: 'Ebbehout Attorneys',
      registrationNumber: '1987/055522/21',
      domain: 'ebbehout-law.co.za',
      street: '9 Main Street',
    },
    title: 'About us | Ebbehout Attorneys',
    firstLines: ['About usContact Call 044 555 0221', 'Law, in plain words'],
    repeats: { name: 'yes', registrationNumber: 'yes', mailDomain: 'yes', street: 'yes' },
    candidates: [
      'phone +27445550221 open',
      'email newmatters@ebbehout-law.co.za open',
      'email adriaan@ebbehout-law.co.za quarantined obfuscated',
      'phone +27445550222 open',
      'phone +27795550223 open',
      'email lerato@ebbehout-law.co.za open',
      'email ontvangs@ebbehout-law.co.za open role',
      'phone +27445550228 quarantined json_ld_only',
      'phone +27825550933 quarantined quote',
      'email privacy@ebbehout-law.co.za open role',
      'email enquiries@inligting-reguleerder.org.za quarantined other_domain role',
      'phone +27105550960 quarantined other_domain',
    ],
    excluded: { fax: 2, other_number: 1 },
    protected: {},
  },
  {
    file: 'joomla-contact',
    builder: 'Joomla',
    url: 'https://phalane-plumbing.co.za/contact',
    role: 'contact',
    contentType: utf8,
    record: {
      name: 'Phalane Plumbing and Drains (Pty) Ltd',
      registrationNumber: '2016/055523/07',
      domain: 'phalane-plumbing.co.za',
      street: '77 Landros Mare Street',
    },
    title: 'Contact - Phalane Plumbing & Drains',
    firstLines: ['Phalane Plumbing & Drains', '24/7 emergency line 061 555 0231', 'Home', 'Contact'],
    repeats: { name: 'yes', registrationNumber: 'yes', mailDomain: 'yes', street: 'yes' },
    candidates: [
      'phone +27615550231 open',
      'phone +27155550232 open',
      'email jobs@phalane-plumbing.co.za quarantined obfuscated role',
      'email accounts@phalane-plumbing.co.za quarantined obfuscated role',
      'email info@phalane-plumbing.co.za open role',
      'email sales@tjello-templates.com quarantined credits role',
    ],
    excluded: { other_number: 1, fax: 1, template: 1 },
    protected: {},
  },
  {
    file: 'divi-contact',
    builder: 'WordPress with Divi',
    url: 'https://kwaggaspruit-vet.co.za/find-us/',
    role: 'contact',
    contentType: utf8,
    record: {
      name: 'Kwaggaspruit Animal Clinic',
      registrationNumber: null,
      domain: 'kwaggaspruit-vet.co.za',
      street: '12 Quagga Avenue',
    },
    title: 'Find Us | Kwaggaspruit Animal Clinic',
    firstLines: ['051 555 0241 frontdesk@kwaggaspruit-vet.co.za', 'Home', 'Find Us', 'Kwaggaspruit Animal Clinic'],
    repeats: { name: 'yes', registrationNumber: 'not_known', mailDomain: 'yes', street: 'yes' },
    candidates: [
      'phone +27515550241 open',
      'phone +27515550242 open',
      'email frontdesk@kwaggaspruit-vet.co.za open role',
      'phone +27825550243 open',
      'phone +27860555024 open',
      'email appointments@kwaggaspruit-vet.co.za quarantined obfuscated role',
      'email wild@kwaggaspruit-vet.co.za quarantined obfuscated',
      'phone +27735550245 open',
      'phone +27735550246 open',
      'phone +27845550977 quarantined user_comment',
      'email oupagert@gmail.com quarantined user_comment free mail',
      'email klant@gmail.com quarantined other_organisation free mail',
    ],
    excluded: { fax: 1, script: 1 },
    protected: { script_made: 1 },
  },
]

/** Returns the bytes of a page, as a browser saved them. */
export function bytesOf({ file }: Pick<SitePage, 'file'>): Promise<Buffer> {
  return readFile(new URL(`${file}.html`, import.meta.url))
}
