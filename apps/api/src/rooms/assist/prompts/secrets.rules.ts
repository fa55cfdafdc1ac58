/*
 * The secrets that are never sent to a provider (specification, Phase 13 §2). One list: passwords, PINs, session and CSRF values, cookies,
 * credentials of every authorization scheme, API keys, connection strings and private keys. A secret without a label and without a known form
 * is recognised by its mix of characters. Pure and linear: each repetition is bounded, or consumes what it scans.
 *
 * The rules expect a text in NFKC with ASCII digits and without markup. A rule that is in doubt removes the word: the model can do without one
 * word, and a secret that was sent cannot be taken back.
 */

export type SecretRule = {
  name: string
  pattern: RegExp
  /** Returns true if the match is a secret. Without it every match is one. */
  isMeant?: (found: string) => boolean
}

function rule(name: string, source: string, isMeant?: SecretRule['isMeant']): SecretRule {
  const pattern = new RegExp(source, 'giu')
  return isMeant === undefined ? { name, pattern } : { name, pattern, isMeant }
}

const start = '(?<![\\p{L}\\p{N}])'
const end = '(?![\\p{L}\\p{N}])'
const gap = '\\s{0,10}'
const space = '\\s{1,10}'
const quote = '["\'`’”]{0,2}'
/** A value: in quotation marks, or up to the next space. */
const value = '(?:"[^"\\n]{1,200}"|\'[^\'\\n]{1,200}\'|“[^”\\n]{1,200}”|‘[^’\\n]{1,200}’|`[^`\\n]{1,200}`|\\S+)'
/** Pattern of the text between a label and its value. */
const sign = `${quote}\\]?${gap}(?:[=-]>|:=|={1,2}|:|%3[AD])${gap}`
const dash = `${gap}[-–—]${gap}`
const verb = `${space}(?:is|was|are|to|word|na)${space}`
/** Up to five words, as in "password for the office is". */
const words = `(?:${space}[\\p{L}'’-]{1,20}){0,5}?`
/** No ordinary word: digits beside letters, both cases within a word, or a percent sign. */
const mixed = '(?=(?=\\S{0,80}\\d)\\S{0,80}\\p{L}|\\S{0,80}(?-i:\\p{Ll}\\p{Lu})|\\S{0,80}%)[^\\s]{5,}'

/** In English, Afrikaans and other languages of South Africa, and with the signs that people write for letters. */
const longPasswordWords =
  '(?:p[a@4][s$5]{2}[ _-]?(?:w[o0]rd|phrase|code|wd)s?|wagwoorde?|wagfrase|toegangs?woord|passwort|kennwort|mot de passe|contrase[nñ]a|senha|i?pha?s[ai]wedi|phasewete)'
const passwordWords = `(?:${longPasswordWords}|pwd)`
const shortPasswordWords = '(?:p[./]?w\\.?|psw|pass)'
/** Words that follow "password" in ordinary sentences. */
const ordinaryWords = new Set(
  [
    'a an and are at be been by can cannot change changed changes cracker does expired expires expiry field for forgotten form from generator',
    'guide had has have help hint hints if in into is it list login manager management managers may must name never no not of on or page policy',
    'policies prompt protect protected protection recovery required requirements reset resets rotation rules screen security should so strength',
    'system token tokens attack attacks value that the their them they this to tool user users vault was were when which will with you your',
    'beleid beskerm beskermde beskerming dat die en het herstel in is kan moenie moet nie nodig of om op te van vergeet verander vir was wat word',
  ]
    .join(' ')
    .split(' '),
)

function isNoOrdinaryWord(found: string): boolean {
  const last = /\S+$/.exec(found)?.[0] ?? ''
  return !ordinaryWords.has(last.toLowerCase().replace(/[.,;:!?)]{1,3}$/, ''))
}

const locks =
  '(?:alarm|gate|door|access|entry|entrance|safe|security|verification|confirmation|activation|unlock|lock ?box|lock|keypad|one[- ]?time|otp|2fa|mfa|sms|wi-?fi|garage|hek|deur|kluis|sekuriteits?|toegangs?|verifikasie|eenmalige)'
const codes = '(?:codes?|kodes?|pin|number|nommer)'
const pinWords = `(?:pin(?:[ -]?(?:code|kode|number|nommer|nr|no))?|otp|cvv2?|cvc2?|puk|pass ?code|${locks}(?:[ -]?|${space}se${space}|['’]s${space})${codes}|${codes}${space}(?:for|of|to|vir|van)${space}(?:open${space})?(?:the${space}|die${space})?${locks})`
const pinDigits = '\\d(?:[ -]?\\d){2,11}'

/** Labels whose value is a secret after "is" too. */
const secretLabels = [
  '(?:sess(?:ion)?|sessie)[ _.-]?(?:ids?|keys?|tokens?|cookies?|koekie|value|hash|secret|string)',
  '(?:x[ _-]?)?(?:csrf|xsrf)(?:[ _-]?(?:token|key|value|cookie|middleware ?token)){0,2}',
  '(?:authenticity|request ?verification|remember(?:[ _-]?me)?|access|refresh|auth|bearer|id|security|reset|verification|device|push|bot|deploy)[ _-]?tokens?',
  '(?:api|access|secret|private|encryption|signing|master|consumer|account|auth|storage|service|licen[cs]e|ssh|wpa2?|wi-?fi|network|geheime|privaat|toegangs?)[ _-]?(?:access[ _-]?)?(?:keys?|sleutels?)',
  '(?:client|app|consumer|shared|webhook|signing|jwt|api)[ _-]?secrets?(?:[ _-]?(?:key|value))?',
  'php ?sessid|j ?sessionid|asp\\.net_sessionid|connect\\.sid|aspsessionid\\w{0,20}|cfid|cftoken|sessid',
  '(?:totp|2fa)[ _-]?(?:secret|seed|key)|(?:backup|recovery)[ _-]?codes?',
].join('|')
/** Labels that are ordinary words too: without a sign only a mixed value after them is a secret. */
const commonLabels =
  'sess|session|sessie|sid|tokens?|secret|geheim|auth|jwt|nonce|cookie|koekie|key|sleutel|signature|bearer|credentials?|creds|log[ -]?in|log[ -]?on|aanmelding'
/** The first part of a compound name, such as `DB_` of `DB_PASSWORD` and `my` of `myApiKey`. */
const prefix = '(?<![\\p{L}\\p{N}_.-])[_.-]{0,4}(?:[\\p{L}\\p{N}]{1,20}[_.-]){0,4}(?:[\\p{L}\\p{N}]{1,12}?)??'

/** A parameter of a header, with its quoted value. */
const parameter = '(?:[^\\s"]|"(?:[^"\\n]{0,400}")?)+'
/** More parameters: after a comma or semicolon, and each `name=value`. */
const moreParameters = `(?:(?<=[,;])\\s{1,5}${parameter}|\\s{1,5}[\\w.-]{1,60}=${parameter}){0,60}`
const schemes =
  '(?:basic|bearer|digest|negotiate|ntlm|kerberos|api-?key|token|oauth|hawk|dpop|gnap|hoba|mutual|vapid|ssws|splunk|mac|jwt|key|client-id|private-?token|googlelogin|sharedkey(?:lite)?|signature|scram-sha-\\d{1,3}|aws4-hmac-sha256|eg1-hmac-sha256)'

/** A secret whose label is an element of XML. The rules for a text without markup would not see the label. */
export const secretElements = new RegExp(
  `<([\\w:.-]{0,40}(?:password|passwd|pwd|wagwoord|passphrase|pin|${secretLabels}|${commonLabels})[\\w:.-]{0,20})(?=[\\s/>])[^<>]*>[^<>]*(?=</)`,
  'giu',
)

/** In this order, because a longer secret may contain a shorter one. */
export const secretRules: readonly SecretRule[] = [
  {
    name: 'private key',
    pattern:
      /(?:[-–—]{3,10} ?BEGIN [A-Z\d ]{1,50}[-–—]{3,10}|BEGIN [A-Z\d ]{0,40}PRIVATE KEY)[\s\S]*?(?:[-–—]{3,10} ?END [A-Z\d ]{1,50}[-–—]{3,10}|END [A-Z\d ]{0,40}PRIVATE KEY|$)/g,
  },
  { name: 'PuTTY key', pattern: /PuTTY-User-Key-File-\d[\s\S]*?(?:Private-MAC:\s{0,5}\S+|$)/g },
  { name: 'JSON web token', pattern: /(?<![\w-])eyJ[\w-]{4,}\.[\w-]{2,}(?:\.[\w-]*)?/g },
  {
    name: 'API key of a known form',
    pattern:
      /(?<![\p{L}\p{N}])(?:gh[pousr]_|github_pat_|gl(?:pat|dt|rt|ptt|soat)-|sk[-_]|pk[-_]|rk[-_]|whsec_|xox[abeoprs]-|xapp-|hf_|npm_|pypi-|do[op]_v1_|shp(?:at|ca|pa|ss)_|xkeysib-|AKIA|ASIA|AIza|ya29\.|GOCSPX-|sq0[a-z]{3}-|lin_api_|PMAK-|rzp_(?:live|test)_|hvs\.|NRAK-|phc_|dckr_pat_|figd_|glsa_|sntrys_|ntn_|AGE-SECRET-KEY-)[\w.-]{8,}/gu,
  },
  {
    name: 'API key of a form that words have too',
    pattern: /(?<![\p{L}\p{N}])(?:SG\.|key-|secret_|r8_|re_|EAA|AC|SK)[\w.-]{12,}/gu,
    isMeant: (found) => /\d/.test(found),
  },
  { name: 'key of a Telegram bot', pattern: /(?<![\w-])\d{8,10}:[\w-]{35}(?![\w-])/g },
  { name: 'password hash', pattern: /\$(?:2[abxy]?|apr1|argon2[id]{1,2}|scrypt|pbkdf2[\w-]{0,20}|y|[156])\$\S+/g },
  {
    name: 'address of a server with a password',
    pattern: /(?<![a-z\d+.-])[a-z][a-z\d+.-]{0,30}:\/\/[^\s/@]{0,200}:[^\s@]{0,200}@\S*/gi,
  },
  rule('JDBC address', `${start}jdbc:\\S+`),
  rule('data source name', '(?<!\\S)[^\\s:@/]{1,64}:[^\\s@]{1,128}@(?:tcp|udp|unix)\\(\\S*'),
  rule(
    'password option of a command',
    `${start}(?:mysql(?:dump|admin)?|mariadb|sshpass|mongo(?:sh|dump)?|redis-cli|smbclient|psql|ftp|lftp)${end}[^\\n]{0,200}?\\s-[pa]\\s?${value}`,
  ),
  rule('user option of a command', `(?<=\\s)-(?:u|-user)[ =][^\\s:]{1,64}:${value}`),
  rule(
    'authorization header',
    `authori[sz]ation(?:${quote}${gap}[:=]|["'\`]${gap},)${gap}["'\`]?(?:[a-z][\\w-]{1,30}${space})?${parameter}${moreParameters}`,
  ),
  rule(
    'authorization scheme',
    `${start}(?:authori[sz]ation${space}${schemes}:?${space}${parameter}|${schemes}:?${space}(?:[\\w-]{1,40}="[^"\\n]{0,400}",?|${mixed}))${moreParameters}`,
  ),
  rule(
    'cookie header',
    `${start}(?:set-)?(?:cookies?2?|koekies?)(?:${quote}${gap}[:=]${gap}|${space}(?:(?:is|was)${space})?(?=[\\w.-]{1,60}=))["'\`]?${parameter}${moreParameters}`,
  ),
  rule(
    'recovery phrase',
    `${start}(?:seed|recovery|backup|mnemonic|secret|wallet|herstel)[ -]?(?:phrase|words|frase|woorde|seed)${gap}(?:is|are|[:=-])?${gap}(?:\\p{L}{2,15}[ ,]{1,3}){5,23}\\p{L}{2,15}`,
  ),
  rule(
    'password of a connection string',
    `(?:(?<=;\\s?)(?:password|pwd)\\s?=\\s?[^;\\n]{1,200}(?:;|$)|${start}(?:password|pwd)\\s?=\\s?[^;\\n]{1,200};(?=\\s?[\\w ]{1,40}=))`,
  ),
  rule('passphrase', `${start}(?:pass ?phrase|wagfrase)(?:${sign}|${words}${space}is${space})[^\\n.;]{1,120}`),
  rule('password before a sign', `${passwordWords}(?:[ _-]?\\d)?${gap}[^\\p{L}\\p{N}\\s.,!?)]{1,4}${gap}${value}`),
  rule(
    'short label of a password',
    `${start}${shortPasswordWords}(?:${sign}${value}|(?:${dash}|${space}(?:is${space})?)${mixed})`,
  ),
  rule('password in a sentence', `${start}${passwordWords}${end}${words}(?:${verb}|${sign})${value}`),
  rule('password before a mixed value', `${start}${passwordWords}${end}${words}${space}${mixed}`),
  rule('password', `${start}${passwordWords}[,;]?${space}${value}`, isNoOrdinaryWord),
  rule(
    'PIN',
    `${start}${pinWords}${end}(?:['’]s|\\.)?${words}(?:${sign}|${space}(?:is|was)${space}|${gap}[-–—#]?${gap})${pinDigits}${end}`,
  ),
  rule('PIN before a sign', `${start}${pinWords}(?:${sign}|${space}is${space}|${dash})${value}`),
  rule(
    'number of a lock',
    `${start}(?:alarm|gate|hek|safe|kluis|key ?safe|lock ?box|keypad)${gap}[:#=-]?${gap}\\d{4,8}#?${end}`,
  ),
  rule(
    'short labels of user and password',
    `${start}u(?:ser)?${gap}[:=]${gap}[^\\s,;]{1,60}[\\s,;/|]{1,5}p(?:ass)?${gap}[:=]${gap}${value}`,
  ),
  rule(
    'user and password',
    `${start}(?:log[ -]?(?:in|on)|sign[ -]?in|aanmeld(?:ing|naam)?|user(?: ?name| ?id)?|gebruiker(?:snaam)?|uid|credentials?|creds)(?:${sign}|${space})(?:(?:with|as|using|met)${space})?(?!\\w{1,20}:\\/\\/)[^\\s/|]{1,60}(?:\\s{0,3}[/|:]\\s{0,3}${value}|[ ,;]{1,3}${mixed})`,
  ),
  rule(
    'labelled value',
    `${prefix}(?:${secretLabels})(?:${sign}${value}|${space}(?:is|was|are)${space}${value}|(?:${dash}|${space})${mixed})`,
  ),
  rule(
    'value of a common label',
    `${prefix}(?:${commonLabels})(?:[ _-]?(?:id|value))?(?:${sign}${value}|(?:${dash}|${space}(?:(?:is|was)${space})?)${mixed})`,
  ),
  rule('CSRF value', `${start}[xc]srf(?:[ _-]?token)?${space}${value}`, isNoOrdinaryWord),
  rule('cookie without a header', '(?<![\\w.-])_{1,2}[a-z][\\w-]{0,60}=\\S+'),
  {
    name: 'value of a parameter',
    pattern: /(?<![\w.-])[\w.-]{1,60}=[\w%+/~.-]{16,}={0,2}/g,
    isMeant: (found) => hasLettersAndDigits(found.slice(found.indexOf('=') + 1)),
  },
  { name: 'long run of letters and digits', pattern: /(?<![\w+/=-])[\w+/=-]{16,}/g, isMeant: looksRandom },
]

function hasLettersAndDigits(run: string): boolean {
  return /\d/.test(run) && /[a-z]/i.test(run)
}

/** From 24 characters on, letters beside digits are enough. A shorter run must change between lower case, upper case and digits often. */
function looksRandom(run: string): boolean {
  if (run.length >= 24 && hasLettersAndDigits(run)) return true
  const changes = run.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g) ?? []
  return !/[-_/]/.test(run) && changes.length >= CHANGES_OF_A_SECRET
}

const CHANGES_OF_A_SECRET = 4
