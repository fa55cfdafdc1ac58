/**
 * The only configuration of matching, for every tenant and data set. A weight is in thousandths of a bit: log2 of how much more often a finding
 * occurs between two records of one business than between records of two businesses. A change of a number, or of a rule that uses it, requires a new
 * `ALGORITHM_VERSION`: suggestions store the version, and those of an older one are compared again.
 */
export const ALGORITHM_VERSION = 'additive-6'

export const configuration = {
  /** weight of a pair before any field is compared; negative, because two records that share a blocking key are seldom one business */
  prior: -5_000,

  /** the weight of a name is interpolated linearly between these points of similarity (in thousandths) */
  nameCurve: [
    [0, -7_000],
    [400, -5_000],
    [600, -500],
    [750, 3_500],
    [860, 6_600],
    [1_000, 7_000],
  ],
  /** maximum name weight of two names with different numbers (shop 2, shop 3) or different qualifiers ("(Durban)", "(George)") */
  namePartConflict: 1_000,
  /**
   * minimum name weights by the relation of two names. `nameContainedLeast`: one contains the other, in one building or with one phone. The others
   * apply in one building only. `nameBrandLeast`: they share two distinctive words. `nameOutletLeast`: they share one distinctive word and each adds
   * another word. `nameOneRoofLeast`: they share several common words.
   */
  nameContainedLeast: 1_500,
  nameBrandLeast: 1_000,
  nameOutletLeast: 200,
  nameOneRoofLeast: -1_400,
  /** both records have a legal form and the forms differ; the weight is low because people write the form from memory */
  legalFormConflict: -300,

  phoneSame: 8_000,
  /** the same digits, but one of the two numbers has no known country */
  phoneSameDigits: 7_500,
  /** the same digits, both without an area code: one number within one town, possibly another number elsewhere */
  phoneSameLocal: 7_000,
  /** a number without its area code equals the end of a complete number in the same town */
  phoneSameEnd: 3_500,
  /** different numbers: `phoneDiffersNearby` within one area code, `phoneDiffers` otherwise */
  phoneDiffersNearby: -1_500,
  phoneDiffers: -2_000,

  emailSame: 8_000,
  domainSame: 4_500,
  /** equal labels with different suffixes, such as karoo.com and karoo.co.za */
  domainSameLabel: 2_500,
  domainDiffers: -2_500,
  registrationSame: 9_000,
  registrationDiffers: -4_000,

  /** maximum of name, domain and a mailbox of that domain together, because all three identify the brand and not the outlet */
  brandCap: 9_000,
  /** maximum of building and phone together, because both identify the site */
  siteCap: 12_000,
  /** maximum of building and phone if the names contradict each other, because such records are neighbours in one building */
  siteCapOtherName: 9_500,
  /** maximum of brand and phone if the places contradict, because all outlets of a chain can share them */
  chainCap: 9_000,
  /** penalties that replace the usual ones for another place or town if no other record has the phone: the business moved or one address is wrong */
  movedPlace: -2_900,
  movedTown: -8_000,
  /** maximum total of a pair with a reason to assume two businesses, so that other agreement cannot lift the pair above the review band */
  reviewCap: 3_100,

  placeSame: 8_000,
  boxSame: 7_000,
  /** same number and street in another town: street names repeat between towns, or a suburb was entered as the town */
  placeSameOtherTown: 3_500,
  /** same number, street and name of the town, but a province is missing, uncertain or contradicted: another town can have the name */
  placeSameUnsure: 3_500,
  streetSameNumberMissing: 3_500,
  numberNear: -500,
  numberDiffers: -6_000,
  unitDiffers: -2_000,
  complexSame: 3_000,
  streetPartly: -500,
  streetDiffers: -9_000,
  townSame: 500,
  townDiffers: -6_000,
  /** the provinces or the countries differ; towns of one name in two of them are two towns */
  areaDiffers: -6_000,

  /** loss of weight of a shared value: for each doubling of the places that share it, and for each doubling of the records */
  lossPerDoubledPlaces: 2_000,
  lossPerDoubledRecords: 500,
  /** loss of weight of a shared building for each doubling of the names in it */
  lossPerDoubledNames: 700,
  lossMost: { name: 5_000, phone: 7_000, email: 7_000, domain: 4_500, place: 4_000 },
  /** maximum that counts reach; a value shared by this many records or more counts as common */
  countedSharing: 64,

  /** weight of a word of a name by its kind: distinctive, descriptive, number */
  wordDistinctive: 4_000,
  wordDescriptive: 1_200,
  /** minimum weight at which a single word identifies a business; only words in few names have it */
  wordOwnLeast: 2_000,
  /** minimum combined weight at which several words identify a business */
  wordsOwnLeast: 4_000,
  wordNumber: 4_000,
  /** a word in more than one of this many names of a tenant is common and loses weight; a smaller tenant is treated as if it had this many names */
  wordCommonRate: 1_000,
  wordSmallestTenant: 1_000,

  /** largest block in which all records are compared with each other; in a larger block each is compared with its nearest neighbours by name */
  blockCompared: 50,
  blockNeighbours: 10,
} as const

/** Least scores of the two bands (specification, Phase 6 §4). Pairs below `review` are not stored. */
export const bands = { strong: 0.9, review: 0.75 } as const
export type Band = keyof typeof bands
