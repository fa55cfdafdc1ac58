/**
 * Spellings of legal forms, in lower case without accents and dots. South African forms come first, then those of foreign customers and suppliers.
 * Longer spellings are matched before shorter ones.
 */
export const legalForms = {
  private_company:
    forms(`proprietary limited, proprietary ltd, pty limited, pty ltd, ptyltd, pty, private limited, pvt ltd, pte ltd, pte,
    edms beperk, edms bpk, eiendoms beperk, eiendoms bpk, sdn bhd, private limited company`),
  limited_company: forms(`limited, ltd, beperk, bpk, ltda, limitada, co ltd, company limited, rf ltd`),
  close_corporation: forms(`cc, close corporation, bk, beslote korporasie`),
  non_profit: forms(`npc, non profit company, npo, non profit organisation, rf npc, ano`),
  personal_liability: forms(`incorporated, inc, ingelyf, ing`),
  state_owned: forms(`soc ltd, soc limited, soc`),
  public_company: forms(`public limited company, plc, aktiengesellschaft, ag, akg, joint stock company,
    open joint stock company, public joint stock company, closed joint stock company, jsc, ojsc, pjsc,
    cjsc, oao, pao, zao, ao, aktsionernoe obshchestvo, akcionernoe obshchestvo, akcionernoe obsestvo,
    sa, s a, societe anonyme, sociedad anonima, nv, naamloze vennootschap, societa per azioni, a s, as, asa, ab,
    aktiebolag, oyj, se, sa de cv, sab de cv, kk, tbk`),
  limited_liability: forms(`limited liability company, llc, lc, ooo, obshchestvo s ogranichennoi otvetstvennostyu,
    obshchestvo s ogranichennoy otvetstvennostyu, obsestvo s ogranicennoj otvetstvennost u,
    obshhestvo s ogranichennoj otvetstvennostyu, gesellschaft mit beschrankter haftung, gmbh,
    gmbh co kg, mbh, ug, kft, sarl, sas, srl, societatea cu raspundere limitata, sp z oo, spolka z oo,
    sro, doo, ood, eood, uab, oy, aps, bv, bvba, besloten vennootschap, sl, eurl, pt, jv`),
  partnership: forms(`llp, lp, limited partnership, limited liability partnership, kg, ohg, snc, partnership,
    vennootskap`),
  trust: forms(`trust, business trust, familietrust, family trust`),
  company: forms(`company, co, corporation, corp, incorporation, cie, maatskappy, and co, and company, en kie, na,
    national association`),
} satisfies Record<string, readonly string[]>

export type LegalForm = keyof typeof legalForms

/**
 * Spellings that are also ordinary words. They count as a legal form only at the end of a name; at the beginning they belong to the name (Pty, Trust
 * Bank, Company Gardens).
 */
export const onlyAtTheEnd: ReadonlySet<string> = new Set(
  forms(`trust, company, co, corporation, corp, limited, ltd, inc, incorporated, pty, partnership, as, na,
    se, sa, ab, ag, ing, cc, bk, sl, lc, ug, kg, lp, oy, ao, kk, soc, pte, plc, and co,
    and company, family trust, business trust, national association, doo, cie, jv, a s, s a, bv, nv,
    npo, npc`),
)

function forms(phrases: string): string[] {
  return phrases.split(/,\s*/)
}
