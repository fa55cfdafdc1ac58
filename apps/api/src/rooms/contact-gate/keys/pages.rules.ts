import { hasKnownSuffix } from '../../normalization/normalization.ts'
import { visibleText } from './visible-text.rules.ts'

/* Pure rules that read the part of a page's URL after its host. */

const addressOfPage = /^(?:[a-z][a-z\d+.-]*:)?\/{0,2}[^\s/?#]+[/?#](.+)$/is
/** Matches a text that may contain a host, a mailbox or a number. */
const saysMore = /[.@]|\d{9}/

/** Returns the part of a URL after the host as words, if it may identify a person, as in `/url?q=https://karoo.co.za` and `wa.me/27821234567`. */
export function behindHost(text: string): string | undefined {
  const behind = addressOfPage.exec(text)?.[1]?.replace(/%([2-7][\da-f])/gi, escapedCharacter)
  return behind !== undefined && saysMore.test(behind) ? behind.replace(/[/?#&=]+/g, ' ') : undefined
}

/** Matches file names whose extension is also a top-level domain. */
const endingsOfFiles = /^[^.]+\.(?:do|md|mov|pl|ps|py|rs|sh|zip)$/

/** True if a text that looks like a host is the name of a file, such as `index.html`, `profile.php` or `welcome.do`. */
export function isFile(host: string): boolean {
  return endingsOfFiles.test(host) || !hasKnownSuffix(host)
}

function escapedCharacter(_escape: string, code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16))
}

/**
 * Returns the URL of a page: host, path and query, and a fragment that begins with `#!` or `#/`, because some hosts identify pages by such fragments.
 * Returns undefined for a host without a page.
 */
export function pageOf(address: string): string | undefined {
  const page = visibleText(address)
    .replace(/^(?:[a-z][a-z\d+.-]*:)?\/{0,2}(?:www\.|m\.)?/i, '')
    .replace(/#(?![!/]).*$/s, '')
  let end = page.length
  while (page.charAt(end - 1) === '/') end -= 1
  const named = page.slice(0, end)
  return /[/?]/.test(named) ? named : undefined
}
