/**
 * Further towns by province, separated by semicolons; other names of a town follow its current name. A place is listed if GeoNames and the list of
 * postal codes agree on its province. Names that are mainly suburbs of several cities are left out, because they do not tell a province.
 */
const furtherTowns: Readonly<Record<string, string>> = {
  EC: `
aberdeen; addo; adelaide; adendorp; alexandria; alice; alicedale; balfour; barkly east, barkly oos; bathurst; bedford; berlin; bhisho, bisho; bityi;
bizana, mbizana, mbhizana; burgersdorp; cala; cape st francis; cathcart; cedarville; clarkebury; coega; coffee bay; cofimvaba; colchester;
cookhouse; despatch; dordrecht; dutywa, idutywa; elliot; engcobo, ngcobo; flagstaff; gonubie; hankey; hofmeyr; humansdorp; ilinge; indwe;
jansenville; kareedouw; kenton on sea; kirkwood; komga; lady frere, cacadu; lady grey; libode; matatiele; mdantsane; molteno;
mount ayliff, maxesibeni; mount fletcher; mount frere, kwabhaca; nieu bethesda; oyster bay; patensie; paterson; peddie; port alfred;
port st johns, port saint johns; qumbu; somerset east, somerset oos, kwanojoli; st francis bay, st francisbaai, saint francis bay; sterkspruit;
sterkstroom; steynsburg; stutterheim; tarkastad; ugie; venterstad; whittlesea; willowmore`,
  FS: `
allanridge; arlington; bethulie; boshof; bothaville; botshabelo; brandfort; bultfontein; clarens; clocolan; cornelia; dealesville; deneysville;
dewetsdorp; edenburg; edenville; excelsior; fauresmith; ficksburg; fouriesburg; frankfort; gariep dam; harrismith; heilbron; hennenman;
hertzogville; hobhouse; hoopstad; jacobsdal; jagersfontein; kestell; koffiefontein; koppies; ladybrand; lindley; luckhoff; marquard; memel;
odendaalsrus; oranjeville; parys; paul roux; petrus steyn; petrusburg; philippolis; phuthaditjhaba, witsieshoek; reddersburg; reitz; rosendal;
rouxville; senekal; smithfield; springfontein; steynsrus; thaba nchu, thabanchu; theunissen; trompsburg; tweeling; tweespruit; van stadensrus;
ventersburg; verkeerdevlei; viljoenskroon; villiers; virginia; vrede; vredefort; warden; wepener; wesselsbron; winburg; zastron`,
  GP: `
alberton; alexandra; atteridgeville; bapsfontein; boipatong; bophelong; brakpan; bronkhorstspruit; bryanston; carletonville; cullinan; daveyton;
diepsloot; duduza; edenvale; ekangala; evaton; fochville; fourways; halfway house; hammanskraal; henley on klip; isando; katlehong;
kwathema, kwa thema; lenasia; mabopane; magaliesburg; mamelodi; meyerton; midrand; midstream; modderfontein; nigel; orange farm; randfontein;
ratanda; sebokeng; sharpeville; soshanguve; springs; tembisa; thokoza; tsakane; vosloorus; westonaria`,
  KZN: `
amanzimtoti, toti; anerley; babanango; balgowan; ballito; bergville; boston; bulwer; camperdown; cato ridge; chatsworth; clermont; colenso;
creighton; dannhauser; darnall; doonside; dundee; ekuvukeni; empangeni; eshowe; esikhaleni, esikhawini; estcourt; glencoe; greytown; hammarsdale;
harding; hattingspruit; hibberdene; hilton; himeville; hlabisa; hluhluwe; howick; ifafa beach; illovo beach; impendle; ingwavuma; isipingo; ixopo;
izingolweni; jozini; karridene; kingsburgh; kloof; kokstad; kwamashu; kwambonambi; la lucia; la mercy; louwsburg; madadeni; mahlabatini;
mandeni, mandini; melmoth; merrivale; mkuze, umkhuze; mooi river, mooirivier; mount edgecombe; mpophomeni; mtubatuba; mtunzini; ndwedwe;
new germany; new hanover; nkandla; nongoma; nottingham road; palm beach; park rynie; paulpietersburg; pennington; pinetown; pomeroy;
pongola, uphongolo; port edward; queensburgh; ramsgate; salt rock; scottburgh; sezela; shelly beach; southbroom; st lucia, saint lucia;
st michaels on sea; sundumbili; tongaat, othongathi; tugela ferry; ubombo; ulundi; umbogintwini; umgababa; umkomaas, emkhomazi; umlazi; umtentweni;
umzimkulu, umzimkhulu; umzinto; umzumbe; underberg; utrecht; uvongo; van reenen; verulam; vryheid; warner beach; wartburg; wasbank; weenen;
westville; winterton`,
  LP: `
afguns; alldays; bandelierkop; bochum, senwabarwana; burgersfort; dendron, mogwadi; elim; giyani; groblersdal; haenertsburg; hoedspruit; jane furse;
lebowakgomo; marble hall; mutale; phalaborwa, ba phalaborwa; roedtan; seshego; steelpoort; thabazimbi; vaalwater; vivo`,
  MP: `
acornhoek; amersfoort; amsterdam; badplaas, emanzana; balfour; barberton; bethal; bosbokrand; breyten; bushbuckridge; carolina; chrissiesmeer;
delmas; dullstroom; embalenhle; evander; graskop; greylingstad; hazyview; hectorspruit; hendrina; kaapmuiden; kinross; komatipoort; kriel;
kwaggafontein; kwamhlanga; leandra; malelane; morgenzon; ogies; ohrigstad; perdekop; pilgrims rest; sabie; siyabuswa; trichardt;
volksrust; wakkerstroom`,
  NC: `
aggeneys; alexander bay; askham; augrabies; barkly west, barkly wes; belmont; brandvlei; britstown; calvinia; campbell; carnarvon; colesberg;
danielskuil; de aar; delportshoop; douglas; fraserburg; garies; griekwastad, griquatown; groblershoop; hanover; hartswater; hopetown; jan kempdorp;
kakamas; kamieskroon; keimoes; kenhardt; kleinsee; kuruman; loeriesfontein; loxton; modder river; nieuwoudtville; noupoort; orania; pampierstad;
petrusville; philipstown; pofadder; port nolloth; postmasburg; prieska; strydenburg; sutherland; victoria west, victoria wes; vosburg; warrenton;
williston; windsorton`,
  NW: `
amalia; bethanie; biesiesvlei; bloemhof; bray; broederstroom; christiana; coligny; delareyville; derby; ga rankuwa, garankuwa; ganyesa;
groot marico; hartbeespoort; koster; leeudoringstad; lichtenburg; makapanstad; makwassie; mogwase; orkney; ottosdal; reivilo; sannieshof;
schweizer reneke; stella; stilfontein; swartruggens; taung; ventersdorp; wolmaransstad; zeerust`,
  WC: `
abbotsdale; albertinia; arniston; ashton; atlantis; aurora; baardskeerdersbos; barrydale; beaufort west, beaufort wes; bettys bay, bettysbaai;
bitterfontein; bonnievale; brackenfell; bredasdorp; caledon; calitzdorp; camps bay; ceres; citrusdal; clanwilliam; darling; de doorns; de kelders;
de rust; doringbaai; durbanville; dysselsdorp; elandsbaai; elgin; elim; fish hoek, vishoek; franschhoek; gansbaai; genadendal; goodwood;
gordons bay, gordonsbaai; gouda; graafwater; grabouw; greyton; hopefield; kleinmond; kraaifontein; kuils river, kuilsrivier;
lagulhas, l agulhas, agulhas; laingsburg; lamberts bay, lambertsbaai; langebaan; malmesbury; matjiesfontein, matjesfontein; milnerton; montagu;
moorreesburg; murraysburg; napier; parow; piketberg; plettenberg bay, plettenbergbaai, plett; pniel; porterville; prince albert, prins albert;
rawsonville; riebeek kasteel; riversdale, riversdal; riviersonderend; robertson; rondebosch; saldanha, saldanha bay, saldanhabaai; sedgefield;
simons town, simonstown, simonstad; stanford; stilbaai, still bay; strand; touws river, touwsrivier; tulbagh; uniondale; vanrhynsdorp;
velddrif, velddrift; vredenburg; vredendal; wellington; wilderness; wolseley; yzerfontein; zoar`,
}

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
nelson mandela bay | EC
buffalo city | EC
middelburg | EC
bloemfontein, mangaung, bfn, bloem | FS
welkom, matjhabeng | FS
bethlehem | FS
sasolburg | FS
kroonstad | FS
johannesburg, city of johannesburg, joburg, jhb, jozi, egoli | GP
pretoria, tshwane, city of tshwane, pta | GP
ekurhuleni, city of ekurhuleni, east rand, oos rand | GP
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
cape town, city of cape town, kaapstad, ikapa, cpt | WC
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
  .concat(
    Object.entries(furtherTowns).flatMap(([province, listed]) =>
      listed
        .trim()
        .split(/;\s*/)
        .map((names) => ({ names: names.split(', '), province })),
    ),
  )

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

/**
 * Provinces by postal code: `from to provinces`. Codes are assigned by delivery office, so a range at a border can serve several provinces; it then
 * names all of them. A code outside every range tells nothing. The ranges follow the post office's list of codes and the provinces of its places.
 */
export const postalRanges = `
0001 0188 GP
0189 0219 GP NW
0220 0318 NW
0319 0319 LP NW
0320 0359 NW
0360 0399 LP NW
0400 0429 GP LP NW
0430 0449 GP LP MP NW
0450 0479 LP MP
0480 0489 LP
0490 0499 GP LP MP NW
0500 0500 LP
0501 0509 GP LP NW
0510 0999 LP
1000 1029 GP MP
1030 1059 MP
1060 1089 LP MP
1090 1119 MP
1120 1169 LP MP
1170 1370 MP
1371 1379 LP MP
1380 1399 LP
1400 1931 GP
1932 1932 FS GP
1933 1939 GP
1940 1949 FS GP
1950 1994 GP
1995 1999 FS
2000 2199 GP
2200 2259 MP
2260 2269 GP MP
2270 2494 MP
2495 2519 GP NW
2520 2899 NW
2900 2969 KZN
2970 2979 FS KZN
2980 3371 KZN
3372 3372 FS KZN
3373 4719 KZN
4720 4789 EC KZN
4790 5949 EC
5950 5959 NC
5960 6459 EC
6460 6919 WC
6920 6929 NC
6930 6959 WC
6960 6969 NC
6970 6979 WC
6980 6989 NC
6990 6999 WC
7000 7099 NC
7100 8179 WC
8180 8199 NC
8200 8219 WC
8220 8339 NC
8340 8349 FS NC
8350 8469 NC
8470 8599 NC NW
8600 8626 NW
8627 8629 NC NW
8630 8659 NW
8660 8699 NC NW
8700 8709 NC
8710 8719 FS NC
8720 8999 NC
9300 9739 FS
9740 9749 EC FS
9750 9759 EC
9760 9779 EC FS
9780 9785 FS
9786 9787 EC
9788 9794 FS
9795 9797 NC
9798 9799 EC
9800 9919 FS
9920 9929 FS NC
9930 9999 FS
`
  .trim()
  .split('\n')
  .map((line) => {
    const [from = '', to = '', ...provinces] = line.split(' ')
    return { from, to, provinces }
  })
