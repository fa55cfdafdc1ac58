/**
 * Public module of the normalization room. It normalizes typed values, so that different spellings of the same value match (specification, Phase 6
 * §1–3). Its rules are pure and have no tables. Businesses, suppression, previews and matching share them, so that all of them treat spellings alike.
 * Derived values are stored with the version of the rules, next to their original.
 */
export { type Address, placeDoubts, readAddress, type TypedAddress } from './addresses.rules.ts'
export { agree, agreeWith } from './agree/agree.ts'
export { AGREEMENT_VERSION, type Agreement, agreementReasons, type ComparedField } from './agree/agreement.ts'
export {
  type BusinessName,
  comparedName,
  isDescriptiveWord,
  readBusinessName,
  writtenWords,
} from './business-names.rules.ts'
export {
  hasKnownSuffix,
  isFreeMailDomain,
  isRoleMailbox,
  registrableDomain,
  SUFFIX_LIST_VERSION,
} from './domain-parts.rules.ts'
export {
  type DomainReading,
  domainReasons,
  readDomainName,
  readOwnerName,
  type UnresolvedReason,
  unitOf,
} from './domains.rules.ts'
export { wholeHostOf } from './hosts.rules.ts'
export { type IdentifierKind, type Uncertainty, uncertainties } from './identifier-reading.ts'
export { NORMALIZATION_VERSION, normalizeForBlock, normalizeIdentifier, readIdentifier } from './identifiers.rules.ts'
export { hasSeveralCells, isUnprintable, type LinePart, partsOfLine } from './line-values.rules.ts'
export { hostsDeliveringTo, mailboxOf } from './mailboxes.rules.ts'
export { wordDifferences } from './name-differences.rules.ts'
export { countryOfPhone, hasPossibleLength, isAbroad, phoneAsText } from './phones.rules.ts'
export { saysNone } from './placeholders.rules.ts'
export { placeDoubtFields, placeDoubtKinds } from './places.rules.ts'
export {
  findProvinceCode,
  isSingle,
  onlyProvinceIn,
  type ProvinceCode,
  provinceCodeOf,
  provinceCodes,
  provinceName,
  provincesIn,
  readProvinces,
} from './provinces.rules.ts'
export { nameKeyOf, searchFold, searchForms } from './search-folding.rules.ts'
export { identityOf, isSharedHost, ownerDomainOf } from './shared-hosts.rules.ts'
export { hasControlCharacter, withAsciiDigits, withoutUnseen } from './text-folding.rules.ts'
export { cityKeysOf, townNamesOf } from './town-names.rules.ts'
export { isTown } from './towns.rules.ts'
export {
  addressSignsIn,
  hasKnownEnding,
  hostOfAddress,
  isLocalForm,
  isShortened,
  leadingSign,
  likelyKind,
  nameOfAddress,
  wordsWithSign,
} from './values/forms.rules.ts'
export type { FoundValue } from './values/found-value.ts'
export { isFileName } from './values/hosts-in-text.rules.ts'
export { visibleText } from './values/placed-text.rules.ts'
export { valuesIn } from './values/values-in.rules.ts'
export { readWholeNumber } from './whole-numbers.rules.ts'
