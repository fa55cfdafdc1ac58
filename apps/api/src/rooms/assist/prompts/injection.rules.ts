import { fold } from '../../businesses/businesses.ts'

/*
 * Signs that evidence contains instructions for a model (specification, Phase 13 §3). They are read in the stored text, before redaction
 * can hide them. A sign is no proof: a person leaves the item out. Pure.
 */

export type Indicator = 'role_marker' | 'invisible_characters' | 'instruction' | 'encoded_run'

/** A joined emoji is one picture, not a hidden text. */
const joinedEmoji = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier})(?:\u200D(?=\p{Extended_Pictographic})|\uFE0F)/gu
const invisible = /\p{Default_Ignorable_Code_Point}|[\u202A-\u202E\u2066-\u2069]/u

const roleMarkers: readonly RegExp[] = [
  /<\|[^|>]{0,40}\|>/,
  /<\/?(?:system|assistant|user|think|s|im_start|im_end)>/i,
  /\[\/?(?:inst|system)\]/i,
  /<<\/?sys>>/i,
  /^\s*(?:system|assistant|developer|user|human)\s*:/im,
  /#{2,}\s*(?:instructions?|system|response|assistant)\b/i,
]

const objects = '(?:instructions?|prompts?|rules?|directions?|context|messages?|guidelines|text|evidence)'
const instructions: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|neglect|skip)\b[\s,:-]*(?:all|everything|anything|any)?[\s,:-]*(?:of)?\s*(?:the|that|what is|these|those|your|my)?\s*(?:above|previous|prior|earlier|preceding|foregoing|before)\b/,
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|bypass|overrule|do not follow|don't follow|stop following)\\b[^.\\n]{0,40}\\b${objects}\\b`,
  ),
  /\b(?:new|updated|real|actual|following) (?:system )?instructions?\b\s*(?::|are|follow)/,
  /\bsystem prompt\b|\byou are now\b|\bfrom now on,? you\b|\bpretend (?:to be|that you)\b|\bjailbreak\b/,
  /\b(?:reveal|print|repeat|output|show)\b[^.\n]{0,30}\b(?:prompt|instructions|receipt)\b/,
  /\b(?:respond|reply|answer|output) (?:only )?with\b/,
  /\bignoreer\b[^.\n]{0,30}\b(?:bogenoemde|vorige|voorafgaande|instruksies?|reels)\b/,
]

const encodedRuns: readonly RegExp[] = [
  /[\w+/=-]{64,}/,
  /(?:[0-9a-f]{2}[\s:]?){32,}/i,
  /(?:%[0-9a-f]{2}){8,}/i,
  /(?:\\[ux]\{?[0-9a-f]{2,6}\}?){6,}/i,
  /(?:&#x?[0-9a-f]{2,6};){6,}/i,
]

/** The first sign in a text; undefined where there is none. */
export function indicatorIn(text: string): Indicator | undefined {
  if (invisible.test(text.replace(joinedEmoji, ''))) return 'invisible_characters'
  const plain = text.normalize('NFKC')
  if (roleMarkers.some((pattern) => pattern.test(plain))) return 'role_marker'
  const words = fold(plain)
  if (instructions.some((pattern) => pattern.test(words))) return 'instruction'
  return encodedRuns.some((pattern) => pattern.test(plain)) ? 'encoded_run' : undefined
}
