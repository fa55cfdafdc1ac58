/* Lists of the extraction rules. Every change must raise EXTRACTOR_VERSION. */

/** Last labels of file names; some are top-level domains as well. */
export const fileExtensions: ReadonlySet<string> = new Set(
  'png jpg jpeg gif svg webp avif ico bmp tif tiff css scss less js mjs cjs ts jsx tsx json map xml html htm php asp aspx woff woff2 ttf otf eot pdf doc docx xls xlsx ppt pptx zip rar gz tar mp3 mp4 webm ogg mov avi md media txt csv'.split(
    ' ',
  ),
)

/** Domains of documentation and tests (RFC 2606, RFC 6761, RFC 6762). */
export const reservedDomain =
  /(?:^|\.)(?:example\.(?:com|net|org|edu|co\.za)|example|test|invalid|localhost|local|internal|lan)$/

/** Domains and mailboxes of templates and forms. */
export const placeholderDomain =
  /^(?:(?:www\.)?(?:your|my|the|jou|u)?-?(?:domain|company|business|brand|shop|store|organi[sz]ation|firm|address|site|website|email|mail|name|provider|maatskappy|webwerf)(?:name|here)?|domain-?name|acme|somewhere|somedomain|anydomain|xyz|abc|xxx+|test|sample|demo)\.(?:com|net|org|co\.za|co|info|tld|ext|za)$/
export const placeholderLocal =
  /^(?:name|your?[._-]?(?:e?-?mail|name|address|user)?|my[._-]?(?:e?-?mail|name)|e?-?mail[._-]?address|user(?:name)?|first(?:name)?[._-]?last(?:name)?|name[._-]?surname|naam(?:[._-]?van)?|jou[._-]?(?:naam|e-?pos)|some(?:one|body)|example|voorbeeld|(?:john|jane)[._-]?(?:doe|smith)|jan[._-]?alleman|test(?:er|ing)?|xxx+|abc|asdf|foo|bar|placeholder|lorem|ipsum)$/

/** Domains whose mailboxes are samples of site builders. */
export const templateDomain = /^(?:mysite|wixsite|squarespace|godaddy|weebly|themeforest|envato|elegantthemes)\.com$/

/** Mailboxes that receive bounces, unsubscribes and errors, and mailboxes that nobody reads. */
export const trackingLocal =
  /^(?:bounces?|unsubscribe|unsub|list-unsubscribe|optout|opt-out|return|mailer-daemon|no-?reply|do-?not-?reply|tracking|pixel|abuse-report)(?:[+._-].*)?$/
/** Matches hexadecimal names, which are keys of error collectors and message ids. */
export const hashLocal = /^[\da-f]{16,}$/
export const trackingDomain =
  /(?:^|\.)(?:sentry\.io|sentry-next\.wixpress\.com|wixpress\.com|bugsnag\.com|rollbar\.com|amazonses\.com|mailgun\.org|sendgrid\.net|mcsv\.net|list-manage\.com|hubspotemail\.net)$/

/** A label that is glued to the address behind it. */
export const gluedLabel = /^(?:e-?mail|e-?pos|mailto)(?=[a-z])/i

/** Matches a label directly before a number that is not a phone. */
export const otherNumberLabel =
  /(?:^|[^\p{L}])(?:vat|btw|reg(?:istration|istrasie)?|ck|id|identity|identiteits?|acc|acct|account|rek|rekening|bank|branch|tak|takkode|swift|iban|order|invoice|inv|faktuur|sku|ref|reference|verw|verwysing|part|onderdeel|serial|gps|lat|latitude|lon|lng|long|longitude|npo|npc|pbo|fsp|tax|belasting|isbn|ean|member|membership|lid|practice|praktyk|policy|polis|batch|item|model|licen[cs]e|lisensie|erf|stand|p\.?\s?o\.? box|posbus)\.?(?:\s*\/\s*\p{L}+)?\s*(?:no|nr|num|number|nommer|code|kode|#)?\.?\s*[:#.=\-\u2013]*\s*$/iu
export const faxLabel =
  /(?:^|[^\p{L}])(?:tele)?(?:fax|faks|f)(?:[\s-]*(?:2|to|na|via)[\s-]*(?:e-?)?(?:mail|pos))?\.?\s*(?:no|nr|number|nommer)?[.)\]]*\s*[:.\-\u2013]*\s*$/iu
/** Matches the class of an icon or an element for fax numbers. */
export const faxClass = /(?:^|\s)(?:(?!\S*(?:tel|phone|foon))\S*[_-])?(?:fax|faks)(?:\s|$)/i
export const phoneAndFaxLabel = /(?:tel|phone|foon)\.?\s*(?:\/|&|and|en)\s*(?:fax|faks)/i

/** Matches words that introduce the maker of the site, before a value. */
export const creditsBefore =
  /\b(?:(?:web ?)?site|webwerf|web ?design|design(?:ed)?|built|developed|development|powered|hosted|hosting|created|maintained|photo(?:s|graphy|graphs)?|ontwerp|ontwikkel|foto's?)\s*(?:&\s*\w+\s*)?(?:by|deur|door|:)|\b(?:template|theme)\s+(?:by|deur|door)\b/i
export const creditsClass =
  /(?:^|[\s_-])(?:credits?|site-?by|designed-?by|powered-?by|designer|site-?info)(?:$|[\s_-])/i
export const quoteClass = /(?:^|[\s_-])(?:testimonials?|reviews?|quotes?|getuigskrif(?:te)?)(?:$|[\s_-])/i
/** Matches a class of the parts in which a business offers a price. */
export const priceQuoteClass =
  /(?:get|request|ask|free|instant|online|your)[\s_-]?(?:for[\s_-]?)?(?:an?[\s_-]?)?quotes?\b|\bquotes?[\s_-]?(?:form|request|button|btn|cta)/i
export const userCommentClass =
  /(?:^|[\s_-])(?:comments?|comment-?list|commentlist|disqus(?:_thread)?|kommentaar|guestbook|gasteboek)(?:$|[\s_-])/i
export const articleClass = /(?:^|[\s_-])(?:post|blog|news|entry|nuus|type-post)(?:$|[\s_-])/i
/** Squarespace puts all sections of a page into an article of the class "sections". */
export const pageClass = /(?:^|[\s_-])(?:page|type-page|contact|kontak|about|sections)(?:$|[\s_-])/i
/** The class of a page of Joomla, which marks all its pages as articles. */
export const joomlaPageClass = /(?:^|\s)item-page(?:\s|$)/
export const articleType = /schema\.org\/(?:\w*Article|BlogPosting|NewsArticle)\b/i
export const userCommentType = /schema\.org\/(?:Comment|Review|UserComments)\b/i

/** A picture that shows an address or a number. */
export const pictureOfValue =
  /(?:^|[/_.-])(?:e-?mail|epos|tel(?:ephone)?|phone|foon)[_-]?(?:address|addr|adres|number|num|nommer|nr|no|text|teks|img|image|pic)\b/i
export const pictureWords = /\b(?:e-?mail address|e-?pos-?adres|(?:tele)?phone number|telefoonnommer)\b/i
