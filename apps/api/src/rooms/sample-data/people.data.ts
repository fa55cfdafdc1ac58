import type { ProvinceCode } from './places.data.ts'

/**
 * Names of people and businesses in one language. `words` are names that such a business uses in addition to family names (isiZulu "siyakhula": we
 * grow; Sesotho "lesedi": light). `weights`: frequency of its businesses by province.
 */
export type Community = {
  surnames: readonly string[]
  women: readonly string[]
  men: readonly string[]
  words: readonly string[]
  weights: Partial<Record<ProvinceCode, number>>
}

function list(names: string): string[] {
  return names.split(',').map((name) => name.trim())
}

export const afrikaans: Community = {
  surnames: list(
    'Botha, Kruger, Venter, Pretorius, Van der Merwe, Van Wyk, Nel, Coetzee, Du Plessis, Fourie, Steyn, Swanepoel, Jansen van Rensburg, Marais, Le Roux, Joubert, Snyman, Erasmus, Bezuidenhout, Vermeulen, Oosthuizen, Labuschagne, Potgieter, Lombard, Grobler, Theron, Barnard, Viljoen, Strydom, Bekker, Prinsloo, Esterhuizen',
  ),
  women: list('Annelie, Marietjie, Elsabé, Riana, Liezel, Hannelie, Sunette, Magda, Carina, Ilse'),
  men: list('Johan, Pieter, Hennie, Kobus, Gerhard, Deon, Wynand, Schalk, Riaan, Francois'),
  words: list(
    'Môreson, Welgemoed, Eensgevonden, Rooibos, Doringboom, Kameeldoring, Ysterhout, Kokerboom, Vonkel, Sonop',
  ),
  weights: { WC: 4, GP: 3, FS: 4, NC: 5, NW: 4, MP: 3, LP: 2, EC: 2, KZN: 1 },
}

const zulu: Community = {
  surnames: list(
    'Dlamini, Nkosi, Mkhize, Zulu, Buthelezi, Cele, Khumalo, Ngcobo, Mthembu, Zungu, Ntuli, Shabalala, Gumede, Hadebe, Sithole, Msomi, Zondi, Mchunu, Ndlovu, Mabaso',
  ),
  women: list('Nomvula, Thandeka, Zanele, Nokuthula, Ntombi, Lindiwe, Sibongile, Nompumelelo, Hlengiwe, Thembeka'),
  men: list('Sipho, Bongani, Themba, Mandla, Sibusiso, Nhlanhla, Sandile, Jabulani, Musa, Vusi'),
  words: list(
    'Siyakhula, Thuthuka, Masakhane, Sizanani, Vukani, Khanyisa, Phambili, Isibani, Inkanyezi, Zakheni, Sihlangene',
  ),
  weights: { KZN: 6, GP: 3, MP: 3 },
}

const xhosa: Community = {
  surnames: list(
    'Ngxola, Mqhayi, Mabandla, Qwabe, Tshaka, Mpofu, Mdledle, Nqweniso, Gqola, Mbolekwa, Nontshinga, Matshoba, Dyantyi, Mfenyana, Jezile, Mtshali, Ntshinga, Mahlati, Sigidi, Booi',
  ),
  women: list('Nomonde, Ayanda, Nosipho, Vuyokazi, Zukiswa, Unathi, Noluthando, Bulelwa, Pumza, Asanda'),
  men: list('Lwazi, Mzwandile, Xolani, Luyanda, Siyabonga, Thembinkosi, Monwabisi, Khaya, Vuyani, Lunga'),
  words: list('Masiphumelele, Ikhwezi, Siyazama, Nceduluntu, Khanya, Vulindlela, Ilitha, Masincedane, Imbewu, Amanzi'),
  weights: { EC: 6, WC: 3, GP: 2 },
}

const sotho: Community = {
  surnames: list(
    'Mokoena, Molefe, Mofokeng, Motaung, Tau, Letsie, Mokgosi, Modise, Kgosi, Seabi, Phiri, Moloi, Mosia, Tladi, Maseko, Khoza, Mothibi, Ramaphakela, Maluleke, Mashego, Lebese, Mogale',
  ),
  women: list('Lerato, Palesa, Dineo, Mpho, Refilwe, Kelebogile, Boitumelo, Naledi, Mmathapelo, Tebogo'),
  men: list('Thabo, Tshepo, Kagiso, Lebohang, Neo, Karabo, Katlego, Teboho, Pule, Mothusi'),
  words: list(
    'Lesedi, Kopano, Botlhale, Tshwaragano, Naledi, Thabong, Bokamoso, Mosadi, Pula, Metsi, Tirisano, Khotso',
  ),
  weights: { FS: 5, GP: 4, NW: 5, LP: 3, NC: 3, MP: 1 },
}

const vendaAndTsonga: Community = {
  surnames: list(
    'Mudau, Nevhutalu, Ramabulana, Tshivhase, Netshitenzhe, Mulaudzi, Baloyi, Chauke, Mabunda, Shivambu, Mathebula, Hlungwani, Ngobeni, Nkuna, Rikhotso, Makhubele',
  ),
  women: list('Rendani, Tshilidzi, Mashudu, Tintswalo, Khensani, Nyeleti, Rudzani, Hlamalani'),
  men: list('Thendo, Mulalo, Ndivhuwo, Rhulani, Tiyani, Vonani, Fhatuwani, Nsuku'),
  words: list('Vhembe, Mupo, Khathutshelo, Tshedza, Vutomi, Ntirhisano, Hluvuko, Ndivho, Swivuriso'),
  weights: { LP: 6, GP: 1, MP: 2 },
}

const indian: Community = {
  surnames: list(
    'Naidoo, Pillay, Govender, Moodley, Reddy, Chetty, Maharaj, Singh, Padayachee, Naicker, Perumal, Ramsamy, Desai, Patel, Bhana, Moosa, Cassim, Ebrahim, Vawda, Rajbansi',
  ),
  women: list('Priya, Kavitha, Shireen, Nirvana, Saras, Yasmin, Fatima, Rekha, Deshni, Anusha'),
  men: list('Kumaran, Dhiren, Rajesh, Prakash, Ashwin, Yusuf, Imraan, Logan, Sagren, Vikash'),
  words: list('Lotus, Shanti, Deepam, Saffron, Kismet, Sunrise, Al-Noor, Marigold, Ganges, Tulsi'),
  weights: { KZN: 6, GP: 2, WC: 1, EC: 1 },
}

const capeMalay: Community = {
  surnames: list(
    'Adams, Davids, Jacobs, Abrahams, Salie, Samsodien, Isaacs, Petersen, Arendse, Fortuin, Hendricks, Gamieldien, Williams, September, Daniels, Rhoda',
  ),
  women: list('Faldielah, Shanaaz, Chantal, Rochelle, Gadija, Bernadette, Zainab, Denise'),
  men: list('Riyaad, Achmat, Clive, Ashraf, Faizel, Marlon, Igshaan, Winston'),
  words: list('Disa, Southeaster, Kanala, Galiema, Waterblommetjie, Silvertree'),
  weights: { WC: 6, NC: 2, EC: 1 },
}

const english: Community = {
  surnames: list(
    'Turner, Bradshaw, Whitfield, Hartley, Thompson, Ashworth, Kingsley, Rowlands, Stubbs, McAllister, Fairbairn, Sutherland, Goldblatt, Levin, Harcourt, Pringle, Bowker, Rudman, Collett, Dewar',
  ),
  women: list('Gillian, Bronwyn, Sharon, Tracey, Lesley, Heather, Candice, Robyn'),
  men: list('Grant, Craig, Brett, Graham, Neville, Warren, Ian, Duncan'),
  words: list(
    'Kingfisher, Blue Crane, Fish Eagle, Protea, Jacaranda, Yellowwood, Stonehaven, Southern Cross, Milkwood, Fynbos',
  ),
  weights: { WC: 3, GP: 3, KZN: 3, EC: 3, MP: 1, FS: 1 },
}

const portuguese: Community = {
  surnames: list('Da Silva, Ferreira, Gonçalves, De Freitas, Pereira, Dos Santos, Rodrigues, Teixeira, Vieira, Abreu'),
  women: list('Lucinda, Fatima, Graça, Natália, Ana'),
  men: list('Manuel, João, Carlos, Rui, Tony'),
  words: list('Madeira, Lusito, Funchal, Algarve, Bom Dia'),
  weights: { GP: 2, MP: 1, WC: 1, EC: 1 },
}

const greek: Community = {
  surnames: list('Papadopoulos, Stavrou, Georgiou, Kyriakou, Economou, Pantelides, Christodoulou, Vlachos'),
  women: list('Despina, Eleni, Maria, Katerina'),
  men: list('Stavros, Andreas, Costa, Dimitri, Yianni'),
  words: list('Aegean, Olympus, Kalamata, Ithaca'),
  weights: { GP: 1, WC: 1, KZN: 0.5 },
}

export const communities: readonly Community[] = [
  afrikaans,
  zulu,
  xhosa,
  sotho,
  vendaAndTsonga,
  indian,
  capeMalay,
  english,
  portuguese,
  greek,
]
