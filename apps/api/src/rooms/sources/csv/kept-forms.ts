import { type IdentifierKind, normalizeIdentifier } from '../../normalization/normalization.ts'

type Form = ReturnType<typeof normalizeIdentifier>

/** Normalized forms of one kind that are kept for cells that come again: branches share a switchboard, a domain, an address. */
const KEPT_FORMS = 8_000
/** Where hardly a value comes again, keeping costs more than it spares: so many cells are watched, and then so many are let pass. */
const WATCHED = 4_000
const LET_PASS = 40_000
/** At least one in so many must have come again. */
const WORTH_ONE_IN = 8

/** Normalizes the cells of a file, and remembers the forms of those that come again. */
export function createKeptForms(phoneRegion: string | null): (kind: IdentifierKind, cell: string) => Form {
  const ofKind = { email: createKept(), phone: createKept(), domain: createKept() }
  return (kind, cell) => {
    const region = kind === 'phone' ? phoneRegion : null
    const kept = ofKind[kind]
    if (!kept.isWorthwhile()) return normalizeIdentifier(kind, cell, region)
    // A copy: the cell is a slice of a piece of the file, and would hold all of it.
    const key = `${kind}${cell}`
    const known = kept.find(key)
    if (known !== undefined) return known
    const form = normalizeIdentifier(kind, cell, region)
    kept.add(key, form)
    return form
  }
}

function createKept() {
  const forms = new Map<string, Form>()
  let watched = 0
  let found = 0
  let letPass = 0
  return {
    isWorthwhile(): boolean {
      if (letPass > 0) {
        letPass -= 1
        return false
      }
      watched += 1
      if (watched > WATCHED) {
        if (found * WORTH_ONE_IN < watched) {
          letPass = LET_PASS
          forms.clear()
        }
        watched = 0
        found = 0
      }
      return true
    },
    find(key: string): Form | undefined {
      const form = forms.get(key)
      if (form !== undefined) found += 1
      return form
    },
    add(key: string, form: Form): void {
      if (forms.size >= KEPT_FORMS) forms.clear()
      forms.set(key, form)
    },
  }
}
