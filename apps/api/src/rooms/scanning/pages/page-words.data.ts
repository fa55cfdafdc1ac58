import type { Suspicion } from './page-facts.ts'

/* Word lists in English and Afrikaans. Each change of a list increments SCANNER_VERSION. */

/** Whole words in a link's text or path. */
export const contactWords =
  /\b(?:contact(?:s| us| me| details| form)?|contactus|kontak(?: ons| my| besonderhede)?|kontakons|get in touch|reach us|find us|where to find us|vind ons)\b/i
export const aboutWords =
  /\b(?:about(?: us| me| the \w+)?|aboutus|oor ons|oorons|our story|our history|who we are|wie is ons|ons storie|company profile|maatskappyprofiel)\b/i

/** Phrases that raise a suspicion on a short page or in a title. */
export const suspectedWords: Readonly<Record<Suspicion, RegExp>> = {
  parked:
    /\b(?:domain (?:name )?(?:is |may be )?for sale|buy this domain|domain (?:has been |is )?(?:parked|registered at)|parked (?:domain|free)|hierdie domein is te koop)\b/i,
  unfinished:
    /\b(?:coming soon|under construction|lorem ipsum|just another wordpress site|welcome to nginx|it works!|default (?:web )?page|site is being built|binnekort beskikbaar|word tans gebou)(?:\b|$)/i,
  wall: /\b(?:captcha|(?:verify|confirm) (?:that )?you are (?:a )?human|checking your browser|are you a robot|access denied|enable javascript and cookies|(?:log|sign) ?in to continue|teken in om voort te gaan)\b/i,
  not_found:
    /\b(?:page (?:was |is |could )?not (?:be )?found|404 (?:error|not found)|error 404|page (?:does not|doesn.t) exist|bladsy (?:is )?nie gevind)\b/i,
}

/** Longer pages are not suspected, because they can mention such phrases in passing. */
export const SHORT_TEXT = 3_000
/** A page with scripts and less visible text than this renders its content by script. */
export const LITTLE_TEXT = 50
/** A page with a script file and less visible text than this may be a frame that the script fills. */
export const SHELL_TEXT = 300
/** Words of a page that waits for its scripts. */
export const shellWords =
  /\b(?:loading|please wait|enable java ?script|requires? java ?script|java ?script (?:is )?(?:disabled|required)|word gelaai|laai tans|wag asseblief)\b/i
