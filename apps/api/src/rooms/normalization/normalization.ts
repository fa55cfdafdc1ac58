/**
 * How what people type is brought into one form, so that spellings of the same thing meet (specification, Phase 6 §1–3). Pure rules,
 * no tables and no routes: businesses, suppression, previews and matching all ask here, so that none of them knows a spelling that
 * another does not. Whatever is derived carries the version of the rules, and the original stays beside it.
 */
export {
  type IdentifierKind,
  NORMALIZATION_VERSION,
  normalizeIdentifier,
  type Uncertainty,
} from './identifiers.rules.ts'
export { findProvinceCode, type ProvinceCode, provinceCodeOf, provinceCodes } from './provinces.rules.ts'
