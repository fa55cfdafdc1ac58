/**
 * Towns with a current and an earlier name, and towns that exist in more than one province. A line is `name, other names | province`; the first name is the
 * current one. A name in several lines is ambiguous until a province decides.
 */
export const towns = `
gqeberha, port elizabeth, pe, p e, die baai, ibhayi | EC
kariega, uitenhage | EC
komani, queenstown | EC
qonce, king williams town, king williamstown | EC
makhanda, grahamstown, grahamstad | EC
east london, oos londen, kugompo city, kugompo | EC
mthatha, umtata | EC
maletswai, aliwal north, aliwal noord | EC
nqanqarhu, maclear | EC
kwamaqoma, fort beaufort | EC
cradock, nxuba | EC
graaff reinet, graaff reinett, robert sobukwe town | EC
jeffreys bay, jeffreysbaai, j bay | EC
gcuwa, butterworth | EC
middelburg | EC
bloemfontein, mangaung, bfn | FS
welkom, matjhabeng | FS
bethlehem | FS
sasolburg | FS
kroonstad | FS
johannesburg, joburg, jhb, jozi, egoli | GP
pretoria, tshwane, pta | GP
ekurhuleni, east rand, oos rand | GP
germiston | GP
kempton park, kemptonpark | GP
sandton | GP
soweto | GP
krugersdorp, mogale city | GP
randburg | GP
roodepoort | GP
centurion, verwoerdburg | GP
benoni | GP
boksburg | GP
vanderbijlpark, vanderbijl park | GP
vereeniging, emfuleni | GP
heidelberg, lesedi | GP
durban, ethekwini, dbn | KZN
pietermaritzburg, maritzburg, umgungundlovu, msunduzi, pmb | KZN
kwadukuza, stanger | KZN
ladysmith, alfred duma | KZN
newcastle | KZN
richards bay, richardsbaai, richardsbay | KZN
umhlanga, umhlanga rocks | KZN
margate | KZN
richmond | KZN
port shepstone | KZN
polokwane, pietersburg | LP
mokopane, potgietersrus | LP
modimolle, nylstroom | LP
bela bela, warmbaths, warmbad | LP
mookgophong, naboomspruit | LP
musina, messina | LP
makhado, louis trichardt | LP
modjadjiskloof, duiwelskloof | LP
lephalale, ellisras | LP
tzaneen | LP
thohoyandou | LP
mbombela, nelspruit | MP
emalahleni, witbank | MP
middelburg | MP
emakhazeni, belfast | MP
mashishing, lydenburg | MP
emgwenya, waterval boven | MP
entokozweni, machadodorp | MP
mkhondo, piet retief, emkhondo | MP
ermelo, msukaligwa | MP
secunda | MP
standerton, lekwa | MP
white river, witrivier | MP
kimberley, sol plaatje | NC
upington, khara hais | NC
springbok | NC
richmond | NC
kathu | NC
mahikeng, mafikeng, mafeking, mmabatho | NW
potchefstroom, tlokwe, potch | NW
klerksdorp, matlosana | NW
rustenburg | NW
brits, madibeng | NW
vryburg | NW
cape town, kaapstad, ikapa, cpt | WC
stellenbosch | WC
george | WC
paarl | WC
worcester | WC
knysna | WC
mossel bay, mosselbaai | WC
somerset west, somerset wes | WC
hermanus | WC
heidelberg | WC
ladismith | WC
bellville | WC
oudtshoorn | WC
swellendam | WC
`
  .trim()
  .split('\n')
  .map((line) => {
    const [names = '', province = ''] = line.split(' | ')
    return { names: names.split(', '), province }
  })

/** Suburbs with an earlier name or another spelling. The first name in a line is the current one. */
export const suburbs = `
umhlanga, umhlanga rocks
ethekwini, durban central
sea point, seepunt
green point, groenpunt
arcadia
hatfield
kwamashu, kwa mashu
mitchells plain, mitchell s plain
observatory, obs
`
  .trim()
  .split('\n')
  .map((line) => line.split(', '))

/** Provinces by the first digits of a postal code, as the post office assigns them: `from–to province`. */
export const postalRanges = `
0001 0299 GP
0300 0499 NW
0500 0999 LP
1000 1399 MP
1400 2199 GP
2200 2499 MP
2500 2899 NW
2900 4731 KZN
4732 6499 EC
6500 6699 WC
6700 8099 WC
8100 8299 WC
8300 8999 NC
9300 9999 FS
`
  .trim()
  .split('\n')
  .map((line) => {
    const [from = '', to = '', province = ''] = line.split(' ')
    return { from, to, province }
  })
