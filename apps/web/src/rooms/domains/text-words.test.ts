import { expect, test } from 'vitest'
import { textInWords } from './text-words.ts'

test.each([
  [
    'v=spf1 mx include:spf.protection.outlook.com ip4:196.25.1.1 ip6:2001:db8::1 -all',
    'SPF: Mail of the domain is sent by its own mail servers, the servers that spf.protection.outlook.com permits and 2 network addresses. The domain asks that mail from all other servers is refused.',
  ],
  [
    'v=spf1 a a:web.karoo.co.za ~all',
    'SPF: Mail of the domain is sent by its own web server and the server web.karoo.co.za. The domain calls mail from all other servers suspicious.',
  ],
  [
    'v=spf1 -all',
    'SPF: The text names no server that sends mail for the domain. The domain asks that mail from all other servers is refused.',
  ],
  [
    'v=spf1 redirect=_spf.karoo.co.za',
    'SPF: The text names no server that sends mail for the domain. The rules of _spf.karoo.co.za say which other servers may send mail for the domain.',
  ],
  [
    'v=spf1 -ip4:10.0.0.1 all',
    'SPF: The text names no server that sends mail for the domain. Any server may send mail for the domain.',
  ],
  [
    'v=DMARC1; p=none; rua=mailto:dmarc@karoo.co.za',
    'DMARC: Receivers are asked to deliver mail that fails the check. Reports are requested.',
  ],
  [
    'v=DMARC1; p=reject; pct=50',
    'DMARC: Receivers are asked to refuse mail that fails the check, for 50 % of it. No reports are requested.',
  ],
  ['v=DMARC1', 'DMARC: the text has no policy that can be read.'],
  ['v=DKIM1; k=rsa; p=MIGf', 'DKIM: the public key with which receivers check signed mail.'],
  ['k=rsa; p=', 'DKIM: the key was revoked.'],
  ['google-site-verification=abc', 'Proof for Google that somebody controls this DNS entry.'],
  ['v=spf10 mx', null],
  ['•••', null],
  ['hello', null],
])('%s in words', (text, words) => {
  expect(textInWords(text)).toBe(words)
})
