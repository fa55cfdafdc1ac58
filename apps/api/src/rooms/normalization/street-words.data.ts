/** Kinds of street in both languages. The first word of a line is for display. The kind has a low weight in comparisons, because people omit it. */
export const streetKinds = kinds(`
  street: st str sts straat
  road: rd pad weg
  avenue: ave av aves laan aven avn
  drive: dr drv rylaan
  lane: ln
  close: cl clos
  crescent: cres cr crs crt singel
  boulevard: blvd blv boul
  place: pl plek plein
  square: sq
  court: ct hof
  way: wy
  circle: cir circ sirkel
  terrace: ter terr
  highway: hwy hy snelweg
  parkway: pkwy pky
  alley: aly steeg
  walk: wandel
  grove: gr
  mews:
  plaza: plz
  trail: trl
  bend: bnd
  freeway: fwy
  expressway: expy
  esplanade:
  loop:
  rise:
  row:
  route: rte roete
`)

/** Words for post office boxes and private bags. The number after such a word is no house number. */
export const boxWords = kinds(`
  pobox: pobox posbus
  bag: bag privatebag privaatsak sak pvtbag
`)

/** Words before the number of a unit, such as a shop or an office. */
export const unitWords: ReadonlySet<string> = new Set(
  'unit shop suite ste office room rm floor flr flat apt apartment stall store eenheid winkel kantoor kamer vloer level block blok no nr number kiosk'.split(
    ' ',
  ),
)

/** Words for estates, complexes and malls. The name of such a place precedes the word. */
export const complexWords: ReadonlySet<string> = new Set(
  'mall centre center sentrum estate landgoed complex kompleks park plaza building gebou house huis arcade village office business shopping tower towers towerblock gardens heights court'.split(
    ' ',
  ),
)

/** Directions that foreign addresses put before or after a street name. */
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

/** Spellings of street words by the word with which they are compared, in both languages and abbreviated. Number words equal their digits. */
export const streetSpellings = kinds(`
  mount: mt
  saint: st sint
  fort: ft
  point: pt
  heights: hts
  university: univ
  junior: jr
  1st: first eerste
  2nd: second tweede
  3rd: third derde
  4th: fourth vierde
  5th: fifth vyfde
  6th: sixth sesde
  7th: seventh sewende
  8th: eighth agtste
  9th: ninth negende
  10th: tenth tiende
  11th: eleventh elfde
  12th: twelfth twaalfde
  main: hoof
  church: kerk
  market: mark
  long: lang
  corner: cnr hoek
  doctor: dr
  president: pres
`)

/** Words between the names of two streets, and words that carry no meaning in a street name. */
export const streetFillers: ReadonlySet<string> = new Set('and at en of the'.split(' '))

/** Words that follow an ordinal to name a floor, as in "2nd floor". */
export const floorWords: ReadonlySet<string> = new Set('floor flr fl level storey vloer verdieping'.split(' '))

/** Words which show that a part after the street is not a town but a part of the building or a nearby place. */
export const partWords: ReadonlySet<string> = new Set(
  'floor flr level basement rear upstairs downstairs building bldg suite ste room rm unit site side entrance at near between off opposite behind'.split(
    ' ',
  ),
)

/** Foreign states, by code and by name. In an address they follow the town. */
export const states: ReadonlySet<string> = new Set([
  ...`al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ri sc sd tn tx ut vt
  va wa wv wi wy dc`.split(/\s+/),
  ...`alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, georgia, hawaii, idaho, illinois, indiana, iowa,
  kansas, kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada,
  new hampshire, new jersey, new mexico, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania, rhode island, south carolina,
  south dakota, tennessee, texas, utah, vermont, virginia, west virginia, wisconsin, wyoming`.split(/,\s+/),
])

/** Parses lines of the form `word: spelling spelling …` into a map from spelling to word. Each word is also its own spelling. */
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
