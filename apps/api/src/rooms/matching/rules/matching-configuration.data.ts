/**
 * The one configuration of matching, for every tenant and every set of records. Weights are thousandths of a bit (log2 of how much
 * more often something is seen between two records of one business than between two of different ones). A change of any number, or
 * of the rules that read them, is a new `ALGORITHM_VERSION`: suggestions carry theirs and are evaluated anew.
 */
export const ALGORITHM_VERSION = 'additive-3'

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
  /** two names that say different numbers (shop 2, shop 3) */
  nameNumberConflict: 1_000,
  /** names that differ and yet share a word of their own, in one building: a sign over the door says less than a register, or more */
  nameOneRoofLeast: -1_400,
  /** the legal form differs on both sides: people write it from memory */
  legalFormConflict: -300,

  phoneSame: 8_000,
  /** the same digits, where one side lacks its country */
  phoneSameDigits: 7_500,
  phoneDiffers: -1_500,

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

  placeSame: 8_000,
  boxSame: 7_000,
  /** the same number and street, another town: a Main Road is everywhere, or a suburb was given as the town */
  placeSameOtherTown: 3_500,
  streetSameNumberMissing: 3_500,
  numberOneDigitOff: -1_500,
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
  lossMost: { name: 5_000, phone: 7_000, email: 7_000, domain: 4_500, place: 4_000 },
  /** sharing is counted to here; past it a value is simply common */
  countedSharing: 64,

  /** a word of a name: its own word, a word that says what the business does, a number */
  wordDistinctive: 4_000,
  wordDescriptive: 1_200,
  /** a word that weighs so much is held by so few names that it tells which business it is */
  wordOwnLeast: 2_000,
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
