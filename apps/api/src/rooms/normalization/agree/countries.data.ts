/**
 * Countries by their ISO 3166 alpha-2 code, with their alpha-3 code and their names in the languages of South African trade: English, Afrikaans, Dutch,
 * German, French and Portuguese, from the Unicode CLDR, and common short and former names. All are in lower case without accents.
 */
const lines = `
AD, and, andorra, andorre
AE, are, united arab emirates, verenigde arabiese emirate, verenigde arabische emiraten, vereinigte arabische emirate, emirats arabes unis, emirados arabes unidos, uae, vae, emirates
AF, afg, afghanistan, afganistan, afeganistao
AG, atg, antigua barbuda, antigua en barbuda, antigua und barbuda, antigua et barbuda, antigua e barbuda
AI, aia, anguilla, anguila
AL, alb, albania, albanie, albanien
AM, arm, armenia, armenie, armenien
AO, ago, angola
AQ, ata, antarctica, antarktika, antarktis, antarctique, antartida
AR, arg, argentina, argentinie, argentinien, argentine
AS, asm, american samoa, amerikaanse samoa, amerikaans samoa, amerikanisch samoa, samoa americaines, samoa americana
AT, aut, austria, oostenryk, oostenrijk, osterreich, autriche
AU, aus, australia, australie, australien
AW, abw, aruba
AX, ala, aland islands, alandeilande, aland, alandinseln, iles aland, ilhas aland
AZ, aze, azerbaijan, azerbeidjan, azerbeidzjan, aserbaidschan, azerbaidjan, azerbaijao
BA, bih, bosnia herzegovina, bosnie en herzegowina, bosnie en herzegovina, bosnien und herzegowina, bosnie herzegovine, bosnia e herzegovina
BB, brb, barbados, barbade
BD, bgd, bangladesh, bangladesj, bangladesch
BE, bel, belgium, belgie, belgien, belgique, belgica
BF, bfa, burkina faso, burquina faso
BG, bgr, bulgaria, bulgarye, bulgarije, bulgarien, bulgarie
BH, bhr, bahrain, bahrein, barein
BI, bdi, burundi
BJ, ben, benin
BL, blm, st barthelemy, sint barthelemy, saint barthelemy, sao bartolomeu
BM, bmu, bermuda, bermudes, bermudas
BN, brn, brunei, broenei, brunei darussalam
BO, bol, bolivia, bolivie, bolivien, plurinational state of bolivia
BQ, bes, caribbean netherlands, karibiese nederland, caribisch nederland, karibische niederlande, pays bas caribeens, paises baixos caribenhos
BR, bra, brazil, brasilie, brazilie, brasilien, bresil, brasil
BS, bhs, bahamas
BT, btn, bhutan, bhoetan, bhoutan, butao
BV, bvt, bouvet island, bouvet eiland, bouveteiland, bouvetinsel, ile bouvet, ilha bouvet
BW, bwa, botswana, botsuana
BY, blr, belarus, bielorussie, bielorrussia
BZ, blz, belize
CA, can, canada, kanada
CC, cck, cocos keeling islands, kokoseilande, cocoseilanden, kokosinseln, iles cocos, ilhas cocos keeling
CD, cod, congo kinshasa, demokratiese republiek van die kongo, kongo kinshasa, drc, democratic republic of congo, democratic republic of the congo, dr congo, zaire
CF, caf, central african republic, sentraal afrikaanse republiek, centraal afrikaanse republiek, zentralafrikanische republik, republique centrafricaine, republica centro africana
CG, cog, congo brazzaville, kongo brazzaville, republica do congo, republic of congo, republic of the congo
CH, che, switzerland, switserland, zwitserland, schweiz, suisse, suica
CI, civ, cote divoire, ivoorkus, ivoorkust, costa do marfim, ivory coast
CK, cok, cook islands, cookeilande, cookeilanden, cookinseln, iles cook, ilhas cook
CL, chl, chile, chili
CM, cmr, cameroon, kameroen, kamerun, cameroun, camaroes
CN, chn, china, chine, prc, peoples republic of china
CO, col, colombia, colombie, kolumbien
CR, cri, costa rica
CU, cub, cuba, kuba
CV, cpv, cape verde, kaap verde, kaapverdie, cabo verde, cap vert
CW, cuw, curacao
CX, cxr, christmas island, kerseiland, christmaseiland, weihnachtsinsel, ile christmas, ilha christmas
CY, cyp, cyprus, siprus, zypern, chypre, chipre
CZ, cze, czechia, tsjeggie, tsjechie, tschechien, tchequie, tchequia, czech republic
DE, deu, germany, duitsland, deutschland, allemagne, alemanha, ger
DJ, dji, djibouti, djiboeti, dschibuti, djibuti
DK, dnk, denmark, denemarke, denemarken, danemark, dinamarca
DM, dma, dominica, dominique
DO, dom, dominican republic, dominikaanse republiek, dominicaanse republiek, dominikanische republik, republique dominicaine, republica dominicana
DZ, dza, algeria, algerie, algerije, algerien, argelia
EC, ecu, ecuador, equateur, equador
EE, est, estonia, estland, estonie
EG, egy, egypt, egipte, egypte, agypten, egito
EH, esh, western sahara, wes sahara, westelijke sahara, westsahara, sahara occidental, saara ocidental
ER, eri, eritrea, erythree, eritreia
ES, esp, spain, spanje, spanien, espagne, espanha
ET, eth, ethiopia, ethiopie, athiopien, etiopia
FI, fin, finland, finnland, finlande, finlandia
FJ, fji, fiji, fidji, fidschi
FK, flk, falkland islands, falklandeilande, falklandeilanden, falklandinseln, iles malouines, ilhas malvinas
FM, fsm, micronesia, mikronesie, mikronesien, micronesie
FO, fro, faroe islands, faroereilande, faeroer, faroer, iles feroe, ilhas faroe
FR, fra, france, frankryk, frankrijk, frankreich, franca
GA, gab, gabon, gaboen, gabun, gabao
GB, gbr, united kingdom, verenigde koninkryk, verenigd koninkrijk, vereinigtes konigreich, royaume uni, reino unido, uk, great britain, britain, united kingdom of great britain and northern ireland, vk, groot brittanje, brittanje
GD, grd, grenada, grenade, granada
GE, geo, georgia, georgie, georgien
GF, guf, french guiana, frans guyana, franzosisch guayana, guyane francaise, guiana francesa
GG, ggy, guernsey, guernesey
GH, gha, ghana, gana
GI, gib, gibraltar
GL, grl, greenland, groenland, gronland, groenlandia
GM, gmb, gambia, gambie
GN, gin, guinea, guinee, guine
GP, glp, guadeloupe, guadalupe
GQ, gnq, equatorial guinea, ekwatoriaal guinee, equatoriaal guinea, aquatorialguinea, guinee equatoriale, guine equatorial
GR, grc, greece, griekeland, griekenland, griechenland, grece, grecia
GS, sgs, south georgia south sandwich islands, suid georgie en die suidelike sandwicheilande, zuid georgia en zuidelijke sandwicheilanden, sudgeorgien und die sudlichen sandwichinseln, georgie du sud et les iles sandwich du sud, ilhas georgia do sul e sandwich do sul
GT, gtm, guatemala
GU, gum, guam
GW, gnb, guinea bissau, guinee bissau, guine bissau
GY, guy, guyana, guiana
HK, hkg, hong kong sar china, hongkong sas china, hongkong sar van china, sonderverwaltungsregion hongkong, ras chinoise de hong kong, hong kong rae da china, hong kong
HM, hmd, heard mcdonald islands, heardeiland en mcdonaldeilande, heard en mcdonaldeilanden, heard und mcdonaldinseln, iles heard et macdonald, ilhas heard e mcdonald
HN, hnd, honduras
HR, hrv, croatia, kroasie, kroatie, kroatien, croatie, croacia
HT, hti, haiti
HU, hun, hungary, hongarye, hongarije, ungarn, hongrie, hungria
ID, idn, indonesia, indonesie, indonesien
IE, irl, ireland, ierland, irland, irlande, irlanda, republic of ireland
IL, isr, israel
IM, imn, isle of man, eiland man, ile de man, ilha de man
IN, ind, india, indie, indien, inde
IO, iot, british indian ocean territory, brits indiese oseaangebied, brits indische oceaanterritorium, britisches territorium im indischen ozean, territoire britannique de locean indien, territorio britanico do oceano indico
IQ, irq, iraq, irak, iraque
IR, irn, iran, ira, islamic republic of iran
IS, isl, iceland, ysland, ijsland, island, islande, islandia
IT, ita, italy, italie, italien, italia
JE, jey, jersey
JM, jam, jamaica, jamaika, jamaique
JO, jor, jordan, jordanie, jordanien, jordania
JP, jpn, japan, japon, japao
KE, ken, kenya, kenia, quenia
KG, kgz, kyrgyzstan, kirgistan, kirgizie, kirgisistan, kirghizstan, quirguistao
KH, khm, cambodia, kambodja, cambodja, kambodscha, cambodge, camboja
KI, kir, kiribati, quiribati
KM, com, comoros, comore, comoren, komoren, comores
KN, kna, st kitts nevis, sint kitts en nevis, saint kitts en nevis, st kitts und nevis, saint christophe et nieves, sao cristovao e nevis
KP, prk, north korea, noord korea, nordkorea, coree du nord, coreia do norte
KR, kor, south korea, suid korea, zuid korea, sudkorea, coree du sud, coreia do sul, republic of korea
KW, kwt, kuwait, koeweit, koweit
KY, cym, cayman islands, kaaimanseilande, kaaimaneilanden, kaimaninseln, iles caimans, ilhas cayman
KZ, kaz, kazakhstan, kazakstan, kazachstan, kasachstan, cazaquistao
LA, lao, laos, lao peoples democratic republic
LB, lbn, lebanon, libanon, liban, libano
LC, lca, st lucia, sint lucia, saint lucia, sainte lucie, santa lucia
LI, lie, liechtenstein
LK, lka, sri lanka
LR, lbr, liberia, liberie
LS, lso, lesotho, lesoto, kingdom of lesotho
LT, ltu, lithuania, litaue, litouwen, litauen, lituanie, lituania
LU, lux, luxembourg, luxemburg, luxemburgo
LV, lva, latvia, letland, lettland, lettonie, letonia
LY, lby, libya, libie, libyen, libye, libia
MA, mar, morocco, marokko, maroc, marrocos
MC, mco, monaco
MD, mda, moldova, moldowa, moldavie, republik moldau, moldavia, republic of moldova
ME, mne, montenegro
MF, maf, st martin, sint martin, saint martin, sao martinho
MG, mdg, madagascar, madagaskar
MH, mhl, marshall islands, marshalleilande, marshalleilanden, marshallinseln, iles marshall, ilhas marshall
MK, mkd, north macedonia, noord macedonie, nordmazedonien, macedoine du nord, macedonia do norte, macedonia
ML, mli, mali
MM, mmr, myanmar burma, mianmar birma, myanmar birma, myanmar, myanmar birmanie, mianmar birmania, burma
MN, mng, mongolia, mongolie, mongolei
MO, mac, macao sar china, macau sas china, macau sar van china, sonderverwaltungsregion macau, ras chinoise de macao, macau rae da china, macau
MP, mnp, northern mariana islands, noord mariane eilande, noordelijke marianen, nordliche marianen, iles mariannes du nord, ilhas marianas do norte
MQ, mtq, martinique, martinica
MR, mrt, mauritania, mauritanie, mauretanien
MS, msr, montserrat
MT, mlt, malta, malte
MU, mus, mauritius, maurice, mauricio
MV, mdv, maldives, maledive, maldiven, malediven, maldivas
MW, mwi, malawi, malaui
MX, mex, mexico, meksiko, mexiko, mexique
MY, mys, malaysia, maleisie, malaisie, malasia
MZ, moz, mozambique, mosambiek, mosambik, mocambique
NA, nam, namibia, namibie, suidwes afrika, south west africa
NC, ncl, new caledonia, nieu kaledonie, nieuw caledonie, neukaledonien, nouvelle caledonie, nova caledonia
NE, ner, niger
NF, nfk, norfolk island, norfolkeiland, norfolk, norfolkinsel, ile norfolk, ilha norfolk
NG, nga, nigeria, nigerie
NI, nic, nicaragua
NL, nld, netherlands, nederland, niederlande, pays bas, paises baixos, holland, the netherlands
NO, nor, norway, noorwee, noorwegen, norwegen, norvege, noruega
NP, npl, nepal
NR, nru, nauru
NU, niu, niue
NZ, nzl, new zealand, nieu seeland, nieuw zeeland, neuseeland, nouvelle zelande, nova zelandia
OM, omn, oman, oma
PA, pan, panama
PE, per, peru, perou
PF, pyf, french polynesia, frans polinesie, frans polynesie, franzosisch polynesien, polynesie francaise, polinesia francesa
PG, png, papua new guinea, papoea nieu guinee, papoea nieuw guinea, papua neuguinea, papouasie nouvelle guinee, papua nova guine
PH, phl, philippines, filippyne, filipijnen, philippinen, filipinas
PK, pak, pakistan, paquistao
PL, pol, poland, pole, polen, pologne, polonia
PM, spm, st pierre miquelon, sint pierre en miquelon, saint pierre en miquelon, st pierre und miquelon, saint pierre et miquelon, sao pedro e miquelao
PN, pcn, pitcairn islands, pitcairneilande, pitcairneilanden, pitcairninseln, iles pitcairn, ilhas pitcairn
PR, pri, puerto rico, porto rico
PS, pse, palestinian territories, palestynse grondgebiede, palestijnse gebieden, palastinensische autonomiegebiete, territoires palestiniens, territorios palestinos, palestine
PT, prt, portugal
PW, plw, palau, palaos
PY, pry, paraguay, paraguai
QA, qat, qatar, katar, catar
RE, reu, reunion, la reunion, reuniao
RO, rou, romania, roemenie, rumanien, roumanie, romenia
RS, srb, serbia, serwie, servie, serbien, serbie, servia
RU, rus, russia, rusland, russland, russie, russian federation
RW, rwa, rwanda, ruanda
SA, sau, saudi arabia, saoedi arabie, saudi arabien, arabie saoudite, arabia saudita
SB, slb, solomon islands, salomonseilande, salomonseilanden, salomonen, iles salomon, ilhas salomao
SC, syc, seychelles, seychelle, seychellen, seicheles
SD, sdn, sudan, soedan, soudan, sudao
SE, swe, sweden, swede, zweden, schweden, suede, suecia
SG, sgp, singapore, singapoer, singapur, singapour, singapura
SH, shn, st helena, sint helena, sainte helene, santa helena
SI, svn, slovenia, slowenie, slovenie, slowenien, eslovenia
SJ, sjm, svalbard jan mayen, spitsbergen en jan mayen, spitzbergen und jan mayen, svalbard et jan mayen, svalbard e jan mayen
SK, svk, slovakia, slowakye, slowakije, slowakei, slovaquie, eslovaquia
SL, sle, sierra leone, serra leoa
SM, smr, san marino, saint marin
SN, sen, senegal
SO, som, somalia, somalie
SR, sur, suriname
SS, ssd, south sudan, suid soedan, zuid soedan, sudsudan, soudan du sud, sudao do sul
ST, stp, sao tome principe, sao tome en principe, sao tome und principe, sao tome et principe, sao tome e principe
SV, slv, el salvador, salvador
SX, sxm, sint maarten, saint martin partie neerlandaise
SY, syr, syria, sirie, syrie, syrien, siria, syrian arab republic
SZ, swz, eswatini, essuatini, swaziland, kingdom of eswatini
TC, tca, turks caicos islands, turks en caicoseilande, turks en caicoseilanden, turks und caicosinseln, iles turques et caiques, ilhas turcas e caicos
TD, tcd, chad, tsjad, tsjaad, tschad, tchad, chade
TF, atf, french southern territories, franse suidelike gebiede, franse gebieden in de zuidelijke indische oceaan, franzosische sud und antarktisgebiete, terres australes francaises, territorios franceses do sul
TG, tgo, togo
TH, tha, thailand, thailande, tailandia
TJ, tjk, tajikistan, tadjikistan, tadzjikistan, tadschikistan, tadjiquistao
TK, tkl, tokelau
TL, tls, timor leste, oos timor, oost timor, timor oriental, east timor
TM, tkm, turkmenistan, turcomenistao
TN, tun, tunisia, tunisie, tunesie, tunesien
TO, ton, tonga
TR, tur, turkiye, turkye, turkije, turkei, turquie, turquia, turkey
TT, tto, trinidad tobago, trinidad en tobago, trinidad und tobago, trinite et tobago, trinidad e tobago
TV, tuv, tuvalu
TW, twn, taiwan
TZ, tza, tanzania, tanzanie, tansania, united republic of tanzania
UA, ukr, ukraine, oekraine, ucrania
UG, uga, uganda, oeganda, ouganda
UM, umi, us outlying islands, klein afgelee eilande van die vsa, kleine afgelegen eilanden van de verenigde staten, amerikanische uberseeinseln, iles mineures eloignees des etats unis, ilhas menores distantes dos eua
US, usa, united states, verenigde state van amerika, verenigde staten, vereinigte staaten, etats unis, estados unidos, united states of america, u s, america, vsa
UY, ury, uruguay, uruguai
UZ, uzb, uzbekistan, oesbekistan, oezbekistan, usbekistan, ouzbekistan, uzbequistao
VA, vat, vatican city, vatikaanstad, vaticaanstad, vatikanstadt, etat de la cite du vatican, cidade do vaticano, holy see
VC, vct, st vincent grenadines, sint vincent en die grenadine, saint vincent en de grenadines, st vincent und die grenadinen, saint vincent et les grenadines, sao vicente e granadinas
VE, ven, venezuela, bolivarian republic of venezuela
VG, vgb, british virgin islands, britse maagde eilande, britse maagdeneilanden, britische jungferninseln, iles vierges britanniques, ilhas virgens britanicas
VI, vir, us virgin islands, vsa se maagde eilande, amerikaanse maagdeneilanden, amerikanische jungferninseln, iles vierges des etats unis, ilhas virgens americanas
VN, vnm, vietnam, viet nam, vietna
VU, vut, vanuatu
WF, wlf, wallis futuna, wallis en futuna, wallis und futuna, wallis et futuna, wallis e futuna
WS, wsm, samoa
YE, yem, yemen, jemen, iemen
YT, myt, mayotte
ZA, zaf, south africa, suid afrika, zuid afrika, sudafrika, afrique du sud, africa do sul, rsa, republic of south africa, republiek van suid afrika, s africa, mzansi, iningizimu afrika, mzantsi afrika, aforika borwa, afrika borwa
ZM, zmb, zambia, zambie, sambia
ZW, zwe, zimbabwe, simbabwe, zimbabue
`

/** Maps each code and each name to its alpha-2 code. */
export const countryCodes: ReadonlyMap<string, string> = new Map(
  lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const names = line.split(', ')
      const code = names[0] ?? ''
      return names.map((name) => [name.toLowerCase(), code] as const)
    }),
)
