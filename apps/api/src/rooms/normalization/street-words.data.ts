/** Kinds of street as people write them, in both languages; the first is how it is shown. The kind weighs little: people leave it out. */
export const streetKinds = kinds(`
  street: st str straat
  road: rd pad weg
  avenue: ave av laan aven avn
  drive: dr drv rylaan
  lane: ln
  close: cl clos
  crescent: cres cr crs crt singel
  boulevard: blvd boul blv
  place: pl plek plein
  square: sq
  court: ct hof
  way: wy
  circle: cir circ sirkel
  terrace: ter terr
  highway: hwy snelweg
  parkway: pkwy pky
  alley: aly steeg
  walk: wandel
  grove: gr
  mews:
  loop:
  rise:
  row:
  route: rte roete
`)

/** What stands before a number that is no street number. */
export const boxWords = kinds(`
  pobox: pobox posbus
  bag: bag privatebag privaatsak sak pvtbag
`)

/** A part of a place: the words say what kind of number follows. */
export const unitWords: ReadonlySet<string> = new Set(
  'unit shop suite ste office room rm floor flr flat apt apartment stall store eenheid winkel kantoor kamer vloer level block blok no nr number kiosk'.split(
    ' ',
  ),
)

/** Estates, complexes, malls: the name before the word is the name of the place. */
export const complexWords: ReadonlySet<string> = new Set(
  'mall centre center sentrum estate landgoed complex kompleks park plaza building gebou house huis arcade village office business shopping tower towers towerblock gardens heights court'.split(
    ' ',
  ),
)

/** Directions, as they are written before and after street names abroad. */
export const directions = kinds(`
  north: n noord
  south: s suid
  east: e oos
  west: w wes
  northeast: ne
  northwest: nw
  southeast: se
  southwest: sw
`)

/** Words that name the same street in both languages or in short. */
export const streetSpellings = kinds(`
  mount: mt
  saint: st sint
  first: 1st eerste
  second: 2nd tweede
  third: 3rd derde
  fourth: 4th vierde
  fifth: 5th vyfde
  sixth: 6th sesde
  seventh: 7th sewende
  eighth: 8th agtste
  ninth: 9th negende
  tenth: 10th tiende
  main: hoof
  church: kerk
  market: mark
  long: lang
  corner: cnr hoek
  doctor: dr
  president: pres
`)

/** A line is `word: spelling spelling …`; every word spells itself. */
function kinds(lines: string): ReadonlyMap<string, string> {
  return new Map(
    lines
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [word = '', others = ''] = line.trim().split(':')
        return [word, ...others.split(' ')].flatMap((spelling) => (spelling === '' ? [] : [[spelling, word] as const]))
      }),
  )
}
