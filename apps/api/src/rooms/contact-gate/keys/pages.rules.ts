import { hasKnownSuffix } from '../../normalization/normalization.ts'
import { sharedHosts } from './shared-hosts.data.ts'
import { visibleText } from './visible-text.rules.ts'

/* What an address of a page says besides its host. Pure. */

const addressOfPage = /^(?:[a-z][a-z\d+.-]*:)?\/{0,2}[^\s/?#]+[/?#](.+)$/is
/** A host, a mailbox or a number may stand in this. */
const saysMore = /[.@]|\d{9}/

/** What follows the host, as words, where it may say who is meant: `/url?q=https://karoo.co.za`, `wa.me/27821234567`. */
export function behindHost(text: string): string | undefined {
  const behind = addressOfPage.exec(text)?.[1]?.replace(/%([2-7][\da-f])/gi, escapedCharacter)
  return behind !== undefined && saysMore.test(behind) ? behind.replace(/[/?#&=]+/g, ' ') : undefined
}

/** Endings of files that are top level domains as well. */
const endingsOfFiles = /^[^.]+\.(?:do|md|mov|pl|ps|py|rs|sh|zip)$/

/** What reads as a host behind another and is a file, as in every second address: `index.html`, `profile.php`, `welcome.do`. */
export function isFile(host: string): boolean {
  return endingsOfFiles.test(host) || !hasKnownSuffix(host)
}

function escapedCharacter(_escape: string, code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16))
}

/** Whether anybody has a page there; then the page is who is meant. */
export function isSharedHost(host: string): boolean {
  for (let part = host; part !== ''; part = part.slice(part.indexOf('.') + 1 || part.length))
    if (sharedHosts.has(part)) return true
  return false
}

/**
 * A page by its host and all behind it, as some hosts tell pages apart by what is asked alone, some by what stands behind `#!`; undefined
 * for a host without a page.
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
