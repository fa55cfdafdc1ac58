/**
 * The one configuration of matching, for every tenant and every set of records. Weights are thousandths of a bit (log2 of how much
 * more often something is seen between two records of one business than between two of different ones). A change of any number, or
 * of the rules that read them, is a new `ALGORITHM_VERSION`: suggestions carry theirs and are evaluated anew.
 */
export const ALGORITHM_VERSION = 'additive-4'

export const configuration = {
  /** before anything is compared: two records that share a block are seldom one business */
  prior: -5_000,

  /** between these points of similarity (in thousandths) the weight of a name runs straight */
  nameCurve: [
    [0, -7_000],
    [400, -5_000],
    [600, -500],
    [750, 3_500],
    [860, 6_600],
    [1_000, 7_000],
  ],
  /** the most of two names that say different numbers (shop 2, shop 3) or different parts ("(Durban)", "(George)") */
  namePartConflict: 1_000,
  /**
   * The least of two names, whatever else they say: one holds the other, in one building or with one phone; in one building they share two
   * words of their own; one such word, and each adds something else; several common words
   */
  nameContainedLeast: 1_500,
  nameBrandLeast: 1_000,
  nameOutletLeast: 200,
  nameOneRoofLeast: -1_400,
  /** the legal form differs on both sides: people write it from memory */
  legalFormConflict: -300,

  phoneSame: 8_000,
  /** the same digits, where one side lacks its country */
  phoneSameDigits: 7_500,
  /** digits without an area code: within one town they are one number, anywhere else another may have them */
  phoneSameLocal: 7_000,
  /** a number without its area code ends another that has one, in one town */
  phoneSameEnd: 3_500,
  /** another line of the same exchange; another number altogether */
  phoneDiffersNearby: -1_500,
  phoneDiffers: -2_000,

  emailSame: 8_000,
  domainSame: 4_500,
  /** karoo.com and karoo.co.za */
  domainSameLabel: 2_500,
  domainDiffers: -2_500,
  registrationSame: 9_000,
  registrationDiffers: -4_000,

  /** name, domain and a mailbox of that domain say one thing: who it is. More than this they cannot say together. */
  brandCap: 9_000,
  /** building and telephone say one thing: where it is */
  siteCap: 12_000,
  /** unless the names differ and share no word of their own: then they are neighbours under one roof */
  siteCapOtherName: 9_500,
  /** where the places contradict, who it is and its telephone are those of the whole chain */
  chainCap: 9_000,
  /** unless nobody else has the telephone: then it has moved, or one address is wrong; more seldom from one town to another */
  movedPlace: -2_900,
  movedTown: -8_000,
  /** what may be one business or two: a person looks, however much agrees */
  reviewCap: 3_100,

  placeSame: 8_000,
  boxSame: 7_000,
  /** the same number and street, another town: a Main Road is everywhere, or a suburb was given as the town */
  placeSameOtherTown: 3_500,
  streetSameNumberMissing: 3_500,
  numberNear: -500,
  numberDiffers: -6_000,
  unitDiffers: -2_000,
  complexSame: 3_000,
  streetPartly: -500,
  streetDiffers: -9_000,
  townSame: 500,
  townDiffers: -6_000,

  /** what a value loses each time the places that share it double, and each time the records do */
  lossPerDoubledPlaces: 2_000,
  lossPerDoubledRecords: 500,
  /** what a building loses each time the names in it double */
  lossPerDoubledNames: 700,
  lossMost: { name: 5_000, phone: 7_000, email: 7_000, domain: 4_500, place: 4_000 },
  /** sharing is counted to here; past it a value is simply common */
  countedSharing: 64,

  /** a word of a name: its own word, a word that says what the business does, a number */
  wordDistinctive: 4_000,
  wordDescriptive: 1_200,
  /** a word that weighs so much is held by so few names that it tells which business it is */
  wordOwnLeast: 2_000,
  /** several words that weigh so much together do, too */
  wordsOwnLeast: 4_000,
  wordNumber: 4_000,
  /** a word that more than this part of a tenant's names hold is common; smaller tenants are counted as if they had so many */
  wordCommonRate: 1_000,
  wordSmallestTenant: 1_000,

  /** records of one block that are all compared with each other; in a larger one each with its next neighbours by name */
  blockCompared: 50,
  blockNeighbours: 10,
} as const

/** Specification, Phase 6 §4. Below `review` nothing is kept. */
export const bands = { strong: 0.9, review: 0.75 } as const
export type Band = keyof typeof bands
