import { fold } from '../../businesses/businesses.pure.ts'

/*
 * Signs that evidence contains instructions for a model (specification, Phase 13 §3). They are read in the stored text, before redaction
 * can hide them. A sign is no proof: a person leaves the item out. Pure and linear: each repetition is bounded, or consumes what it scans.
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
  /^[^\S\n]{0,20}(?:system|assistant|developer|user|human)[^\S\n]{0,20}:/im,
  /##[^\S\n]{0,20}(?:instructions?|system|response|assistant)\b/i,
]

const objects = '(?:instructions?|prompts?|rules?|directions?|context|messages?|guidelines|text|evidence)'
const afrikaansObjects =
  '(?:instruksies?|opdragte?|reels?|voorskrif(?:te)?|aanwysings?|riglyne?|boodskappe?|konteks|bevele?|stelsel(?:boodskap|opdrag)|prompts?)'
/** Not `moenie vergeet`, which asks to remember something. */
const afrikaansVerbs =
  '(?<!\\b(?:moenie|moet nie) )(?:ignoreer|vergeet|verontagsaam|negeer|miskyk|skrap|omseil|oortree|oorskryf|ontken|laat vaar)'
/** In folded text: without accents, in lower case, with single spaces. */
const instructions: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|neglect|skip)\b[\s,:-]{0,5}(?:all|everything|anything|any)?[\s,:-]{0,5}(?:of)? ?(?:the|that|what is|these|those|your|my)? ?(?:above|previous|prior|earlier|preceding|foregoing|before)\b/,
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|bypass|overrule|(?:do not|don't|never|stop) (?:follow(?:ing)?|obey(?:ing)?|listen(?:ing)? to|comply(?:ing)? with))\\b[^.\\n]{0,40}\\b${objects}\\b`,
  ),
  /\b(?:new|updated|real|actual|following) (?:system )?instructions?\b ?(?::|are|follow)/,
  /\bsystem prompt\b|\byou are now\b|\bfrom now on,? you\b|\bpretend (?:to be|that you)\b|\bjailbreak\b/,
  /\b(?:reveal|print|repeat|output|show)\b[^.\n]{0,30}\b(?:prompt|instructions|receipt)\b/,
  /\b(?:respond|reply|answer|output) (?:only )?with\b/,
  /\b(?:note|message|instructions?|attention|dear)\b[ ,:-]{0,3}(?:to|for)? ?(?:the|any|all)? ?(?:ai|llms?|language models?|chatbots?|ai models?|ai assistants?)\b/,
  /\byou (?:must|shall|have to|are required to) (?:now )?(?:write|state|say|claim|answer|respond|recommend|conclude|output|mention|include)\b/,
  /\b(?:require|order|instruct|command) (?:that )?you (?:to )?(?:write|state|say|claim|answer|respond|recommend|conclude|output)\b/,
  /\bact as (?:a|an|the|if you were) (?:different|new|other|another|unrestricted|helpful)?[a-z ]{0,20}\b(?:assistant|ai|model|chatbot|system)\b/,
  new RegExp(`\\b${afrikaansVerbs}\\b[^.\\n]{0,40}\\b${afrikaansObjects}\\b`),
  new RegExp(
    `\\b(?:moenie|moet nie)\\b[^.\\n]{0,40}\\b${afrikaansObjects}\\b[^.\\n]{0,30}\\b(?:volg|gehoorsaam|nakom|toepas|luister)\\b`,
  ),
  new RegExp(
    `\\b(?:volg|gehoorsaam)\\b[^.\\n]{0,30}\\b${afrikaansObjects}\\b[^.\\n]{0,20}\\bnie\\b|\\bgehoorsaam (?:net|slegs)\\b`,
  ),
  new RegExp(
    `\\b${afrikaansVerbs}\\b[ ,:-]{0,5}(?:asseblief |asb )?(?:alles|al|enigiets|alle)? ?(?:die|dit|wat|van)? ?(?:bogenoemde|bostaande|vorige|voorafgaande|vroeere|vroeer|hierbo|voorheen|tevore)\\b`,
  ),
  new RegExp(`\\bslaan\\b[^.\\n]{0,30}\\b${afrikaansObjects}\\b oor\\b`),
  new RegExp(`\\bgooi\\b[^.\\n]{0,40}\\b${afrikaansObjects}\\b[^.\\n]{0,10}\\bweg\\b`),
  new RegExp(`\\blaat\\b[^.\\n]{0,40}\\b${afrikaansObjects}\\b[^.\\n]{0,10}\\b(?:los|vaar)\\b`),
  new RegExp(
    `\\bhou op\\b[^.\\n]{0,40}\\b${afrikaansObjects}\\b[^.\\n]{0,20}\\b(?:volg|gehoorsaam|nakom|toepas|luister)\\b`,
  ),
  /\b(?:nota|boodskap|instruksies?|opdrag|aandag|let op)\b[ ,:-]{0,3}(?:aan|vir)? ?(?:die|alle|enige)? ?(?:ki|taalmodelle?|kletsbot(?:te)?|kunsmatige intelligensie)\b/,
  /\btree op as(?:of)?\b[^.\n]{0,30}\b(?:assistent|ki|taalmodel|kletsbot|stelsel)\b/,
  /\b(?:your|jou) (?:new|nuwe) (?:task|role|taak|rol|opdrag) is\b/,
  new RegExp(`\\b(?:nuwe|werklike|opgedateerde) ${afrikaansObjects} ?:`),
  /\b(?:openbaar|wys|druk|herhaal)\b[^.\n]{0,30}\b(?:stelselopdrag|stelselboodskap|instruksies|prompt)\b/,
  /\bjy is (?:nou|van nou af)\b|\bvan nou af (?:is|moet|sal) jy\b|\b(?:maak asof|doen asof|gee voor dat) jy\b|\bverander jou rol\b|\b(?:antwoord|reageer) (?:slegs |net |alleenlik )?met\b|\bjy moet (?:nou )?(?:skryf|antwoord|se|beweer|verklaar|aanbeveel)\b/,
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
  const words = fold(plain).replaceAll('asb.', 'asb')
  if (instructions.some((pattern) => pattern.test(words))) return 'instruction'
  return encodedRuns.some((pattern) => pattern.test(plain)) ? 'encoded_run' : undefined
}
