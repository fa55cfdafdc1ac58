import type { Agreement, ComparedField } from './agreement.ts'

/**
 * Labelled pairs of values by field, one pair in a line: `one ~ other`, or `one ~ other : reason`. The kinds of spelling come from trade registers,
 * directories and spreadsheets of South African businesses, and from public benchmarks of company names; the values are made up.
 */
const lines: { [Field in ComparedField]: Partial<Record<Agreement['answer'], string>> } = {
  name: {
    same: `
      Karoo Grill (Pty) Ltd ~ KAROO GRILL PTY LTD
      Karoo Grill (Pty) Ltd ~ Karoo Grill Proprietary Limited
      Karoo Grill (Pty) Ltd. ~ Karoo Grill (PTY) LTD
      Karoo Grill (Pty) Ltd ~ Karoo Grill Pty. Ltd.
      Karoo Grill (Pty)Ltd ~ Karoo Grill (Pty) Limited
      Karoo Grill (Edms) Bpk ~ Karoo Grill (Pty) Ltd
      Karoo Grill (Eiendoms) Beperk ~ Karoo Grill (Pty) Ltd
      Karoo Grill CC ~ Karoo Grill cc
      Karoo Grill BK ~ Karoo Grill CC
      Karoo Grill Close Corporation ~ Karoo Grill CC
      Karoo Grill NPC ~ Karoo Grill Non-Profit Company
      Karoo Grill Inc. ~ Karoo Grill Incorporated
      Karoo Grill Ltd ~ Karoo Grill Limited
      Karoo Grill Ltd ~ Karoo Grill Bpk
      Vorster Attorneys Ing ~ Vorster Attorneys Inc
      Nando's ~ Nando’s
      Nando's Facts Kitchen ~ Nando’s Facts Kitchen
      Nando's ~ Nandos
      Nando's ~ Nando\`s
      Nando's ~ Nando´s
      Nando's ~ NANDO′S
      Qcurl’s Kitchen ~ Qcurls Kitchen
      Smith & Sons ~ Smith and Sons
      Smith & Sons ~ Smith + Sons
      Rock 'n Roll Bar ~ Rock ’n Roll Bar
      Rock 'n Roll Bar ~ Rock and Roll Bar
      Rock en Roll Bar ~ Rock & Roll Bar
      Pick n Pay ~ Pick 'n Pay
      Pick n Pay ~ Pick & Pay
      A.B.C. Motors ~ ABC Motors
      A B C Motors ~ ABC Motors
      H & M ~ H&M
      J.P. Smith Plumbing ~ JP Smith Plumbing
      Karoo-Grill ~ Karoo Grill
      Karoo Grill ~ KAROO  GRILL
      Karoo Grill. ~ Karoo Grill
      Café Karoo ~ Cafe Karoo
      Ｋａｒｏｏ Ｇｒｉｌｌ ~ Karoo Grill
      Müller Motors ~ Mueller Motors
      Müller Motors ~ Muller Motors
      Søren Bakery ~ Soeren Bakery
      Łódź Foods ~ Lodz Foods
      Straße Foods ~ Strasse Foods
      Karoo Grill 🍔 ~ Karoo Grill
      Goodwill Store ~ Good Will Store
      The Karoo Grill ~ Karoo Grill, The
      Karoo Grill (Cape Town) ~ Karoo Grill Cape Town
      Karoo Grill (Cape Town) ~ Karoo Grill (Kaapstad)
      Karoo Grill - Cape Town ~ Karoo Grill Cape Town
      Karoo Grill (RF) (Pty) Ltd ~ Karoo Grill (Pty) Ltd
      K2015123456 (South Africa) (Pty) Ltd ~ K2015123456 (SOUTH AFRICA) PTY LTD
      Siemens Aktiengesellschaft ~ Siemens AG
      SiemensAG ~ Siemens AG
      Open Joint Stock Company Vostok ~ OAO Vostok
      Karoo Trading t/a Karoo Grill ~ Karoo Trading T/A KAROO GRILL
      Karoo Trading trading as Karoo Grill ~ Karoo Trading t/a Karoo Grill
      Forty Four Grill ~ FORTY-FOUR GRILL
      D'Oliveira Foods ~ D’Oliveira Foods
    `,
    compatible: `
      Karoo Grill ~ The Karoo Grill : article_missing
      Die Karoo Slaghuis ~ Karoo Slaghuis : article_missing
      Karoo Grill ~ Karoo Grill (Pty) Ltd : legal_form_missing
      Karoo Grill CC ~ Karoo Grill : legal_form_missing
      Karoo Trust ~ Karoo : legal_form_missing
      Karoo Grill Ltd ~ Karoo Grill (Pty) Ltd : legal_form_shortened
      Karoo Motor Company ~ Karoo Motor Company (Pty) Ltd : legal_form_shortened
      Karoo SOC Ltd ~ Karoo Ltd : legal_form_shortened
      Salt & Pepper ~ Salt Pepper : small_word_missing
      House of Curry ~ House Curry : small_word_missing
      J Smith Plumbing ~ John Smith Plumbing : initial
      J.P. Smith Motors ~ Johan Pieter Smith Motors : initial
      KFC Paarl ~ Kentucky Fried Chicken Paarl : initial
      Karoo Apteek ~ Karoo Pharmacy : translation
      Bothma Loodgieters ~ Bothma Plumbing : translation
      Karoo Slaghuis ~ Karoo Butchery : translation
      Smith Bros ~ Smith Brothers : word_form
      Karoo Eng ~ Karoo Engineering : word_form
      Karoo Plumbers ~ Karoo Plumbing : word_form
      Forty Four Grill ~ 44 Grill : word_form
      Karoo Grill (Cape Town) ~ Karoo Grill : qualifier_missing
      Karoo Grill (in liquidation) ~ Karoo Grill : qualifier_missing
      Karoo Grill at The Mall ~ Karoo Grill : qualifier_missing
      Vleiland Cape Town ~ Vleiland : place_missing
      Vleiland South Africa ~ Vleiland : place_missing
      Vleiland Kaapstad (Pty) Ltd ~ Vleiland (Pty) Ltd : place_missing
      Springbok Spares Gauteng ~ Springbok Spares : place_missing
      Karoo ~ Karoo Grill : trade_word_missing
      Vleiland Restaurant ~ Vleiland : trade_word_missing
      Vleiland Attorneys ~ Vleiland : trade_word_missing
      Karoo Trading t/a Karoo Grill ~ Karoo Grill : registered_name_missing
      Karoo Trading CC t/a Windpomp ~ Karoo Trading CC : trading_name_missing
      Karoo Trading (Pty) Ltd trading as Windpomp ~ Windpomp : registered_name_missing
    `,
    unknown: `
      Karoo Grill ~ Karoo Gril : similar_spelling
      Vleiland Motors ~ Vlieland Motors : similar_spelling
      Liso onsulting ~ Liso Cosnulting : similar_spelling
      Vleiland Group ~ Vleiland : further_words
      Karoo Grill Holdings ~ Karoo Grill : further_words
      Smith Motors ~ Smith & Jones Motors : further_words
      Restaurant ~ Karoo Restaurant : further_words
      Smith John Motors ~ John Smith Motors : word_order
      Karoo Trading t/a Windpomp ~ Karoo Trading t/a Vleiland : other_trading_name
      n/a ~ Karoo Grill : no_value
      onbekend ~ Karoo Grill : no_value
    `,
    different: `
      Karoo Grill ~ Karoo Motors
      Karoo Grill CC ~ Karoo Grill (Pty) Ltd
      Karoo Grill NPC ~ Karoo Grill (Pty) Ltd
      Alpha Motors 1 ~ Alpha Motors 2
      Karoo Grill (Cape Town) ~ Karoo Grill (Durban)
      Karoo Grill ~ Namakwa Grill
      Siemens AG ~ Bayer AG
      J Smith Plumbing ~ Piet Smith Plumbing
      Meyer ~ Meier
      Deutsche Bank AG ~ Deutsche Bank GmbH
    `,
  },
  tradingName: {
    same: `
      Windpomp Deli ~ WINDPOMP DELI
      Ma's Kitchen ~ Mas Kitchen
      Bread & Butter ~ Bread en Butter
      Windpomp (Pty) Ltd ~ Windpomp Pty Ltd
    `,
    compatible: `
      The Windpomp ~ Windpomp : article_missing
      Windpomp CC ~ Windpomp : legal_form_missing
      Windpomp Cafe ~ Windpomp : trade_word_missing
      Windpomp Paarl ~ Windpomp : place_missing
    `,
    unknown: `
      Windpomp Deli ~ Windponp Deli : similar_spelling
    `,
    different: `
      Windpomp Deli ~ Vleiland Deli
      Windpomp ~ Waterpomp
    `,
  },
  registrationNumber: {
    same: `
      2015/123456/07 ~ 2015 / 123456 / 07
      2015/123456/07 ~ 2015123456 07
      2015/123456/07 ~ 201512345607
      2015/123456/07 ~ 2015-123456-07
      2015/123456/07 ~ 2015.123456.07
      2015/123456/07 ~ Reg. No. 2015/123456/07
      2015/123456/07 ~ Reg no: 2015/123456/07
      2015/123456/07 ~ Registration number 2015/123456/07
      2015/123456/07 ~ Registrasienommer: 2015/123456/07
      2015/123456/07 ~ ２０１５／１２３４５６／０７
      2015/123456/07 ~ 2015\\123456\\07
      2015/123456/07 ~ (2015/123456/07)
      CK2001/012345/23 ~ 2001/012345/23
      CK 2001/012345/23 ~ ck2001/012345/23
      CK 2001/012345/23 ~ 2001 012345 23
      1998/12345/23 ~ 1998/012345/23
      K2015123456 ~ 2015/123456
      NPO 123-456 ~ NPO123456
      HRB 12345 ~ hrb-12345
      IT 1234/2015 ~ IT1234/2015
    `,
    compatible: `
      2015/123456 ~ 2015/123456/07 : form_number_missing
      K2015123456 ~ 2015/123456/07 : form_number_missing
      98/12345/07 ~ 1998/012345/07 : century_missing
      123-456 NPO ~ 123456 : prefix_missing
      HRB 12345 ~ 12345 : prefix_missing
      01234567 ~ 1234567 : leading_zeros_missing
    `,
    unknown: `
      pending ~ 2015/123456/07 : no_value
      - ~ 2015/123456/07 : no_value
      sole proprietor ~ 2015/123456/07 : unreadable
    `,
    different: `
      2015/123456/07 ~ 2015/123457/07
      2015/123456/07 ~ 2016/123456/07
      2015/123456/07 ~ 2015/123456/23
      HRB 12345 ~ HRA 12345
      12345 ~ 12346
    `,
  },
  industry: {
    same: `
      Restaurant ~ restaurants
      Restaurant ~ Restaurante
      Restaurant ~ Eatery
      Restaurants ~ Eateries
      Restaurant ~ Restaurant industry
      Guest House ~ Guesthouses
      Guest House ~ Gastehuis
      Guest houses ~ Gastehuise
      Plumber ~ Plumbing
      Plumbing ~ Loodgieter
      Plumbing services ~ Loodgieters
      Butchery ~ Slaghuis
      Butcher ~ Slagter
      Bakery ~ Bakkery
      Bakery ~ Bakeries
      Pharmacy ~ Chemist
      Pharmacies ~ Apteke
      Attorney ~ Prokureurs
      Law firm ~ Attorneys
      Accountants ~ Rekenmeester
      Bottle store ~ Drankwinkel
      Liquor store ~ Bottle stores
      Hardware ~ Hardware store
      Hair salon ~ Haarsalon
      Hairdresser ~ Hairdressing
      Estate agent ~ Eiendomsagente
      Filling station ~ Vulstasie
      Petrol station ~ Service station
      Panel beater ~ Paneelkloppers
      Food & Beverages ~ Beverages and Food
      Construction ~ Konstruksie
      Construction ~ Builders
      Engineering ~ Ingenieurs
      Transport ~ Vervoer
      Farming ~ Boerdery
      Wine farm ~ Wynplaas
      Nursery school ~ Kleuterskool
      School ~ Skole
      Take-away ~ Takeaways
      Take away ~ Wegneemetes
      5610 Restaurants ~ Restaurant
      5610 ~ 5610
      CLOTHING ~ clothing
      Undertakers ~ Funeral parlour
      Coffee shop ~ Koffiewinkel
    `,
    compatible: `
      Italian restaurant ~ Restaurant : less_specific
      Restaurant and bar ~ Restaurant : less_specific
      Hospitality ~ Restaurant : less_specific
      Gasvryheid ~ Guest house : less_specific
      Retail ~ Supermarket : less_specific
      Kleinhandel ~ Hardware store : less_specific
      Health ~ Dentist : less_specific
      Agriculture ~ Wine farm : less_specific
      Automotive ~ Panel beaters : less_specific
      Motor spares ~ Spares : less_specific
    `,
    unknown: `
      5610 ~ Restaurant : code_and_words
      Restaurant ~ Restuarant : similar_spelling
      unknown ~ Restaurant : no_value
    `,
    different: `
      Restaurant ~ Plumbing
      Bakery ~ Butchery
      Hotel ~ Guest house
      Mining ~ Farming
      5610 ~ 5620
      Retail ~ Wholesale
      Health ~ Panel beater
    `,
  },
  'address.street': {
    same: `
      1 Main Rd ~ 1 Main Road
      12 Church Street ~ 12 Church St
      PO Box 12 345 ~ PO Box 12345
      12 Church Street ~ 12 Church St.
      12 CHURCH STREET ~ 12 church street
      No 12 Church Street ~ 12 Church Street
      No. 12 Church Str ~ 12 Church Street
      12, Church Street ~ 12 Church Street
      Church Street 12 ~ 12 Church Street
      12 Kerkstraat ~ 12 Church Street
      Kerkstraat 12 ~ Kerk Str 12
      Kerkstr. 12 ~ 12 Kerk Street
      Langstraat 12 ~ 12 Long Street
      12 Nelson Mandela Ave ~ 12 Nelson Mandela Avenue
      12 Nelson Mandela Blvd ~ 12 Nelson Mandela Boulevard
      4 Protea Cres ~ 4 Protea Crescent
      4 Protea Cl ~ 4 Protea Close
      4 Protea Dr ~ 4 Protea Drive
      4 Protea Ln ~ 4 Protea Lane
      4 Proteasingel ~ 4 Protea Crescent
      5th Ave ~ Fifth Avenue
      12 5th Avenue ~ 12 Fifth Ave
      5de Laan ~ 5th Avenue
      12A Main Road ~ 12 A Main Rd
      12a Main Road ~ 12A MAIN ROAD
      12-14 Main Road ~ 12 - 14 Main Rd
      12–14 Main Road ~ 12-14 Main Road
      PO Box 123 ~ P.O. Box 123
      PO Box 123 ~ Posbus 123
      P O Box 123 ~ po box 123
      Private Bag X5 ~ Privaatsak X5
      Pvt Bag X5 ~ Private Bag X5
      Shop 3, 12 Main Rd ~ Shop 3, 12 Main Road
      Shop 3, 12 Main Rd ~ Unit 3, 12 Main Road
      Winkel 3, Hoofstraat 12 ~ Shop 3, 12 Main Street
      12 St George's Street ~ 12 Saint Georges St
      12 St. George’s Street ~ 12 St Georges Street
      12 Mt Nelson Rd ~ 12 Mount Nelson Road
      Cnr Main & Church ~ Cnr Church & Main
      Cnr Main and Church Street ~ Corner of Church and Main Street
      Cnr. Main Rd & Church St ~ Corner Main Road and Church Street
      12 N Main Street ~ 12 North Main Street
      One Main Road ~ 1 Main Road
      ８ Ｍａｉｎ Ｒｄ ~ 8 Main Road
      12 Main  Road ~ 12 Main Road
      12 Mainroad ~ 12 Main Road
      12 Van der Merwe St ~ 12 van der Merwe Street
      12 Pres Steyn Street ~ 12 President Steyn St
    `,
    compatible: `
      Main Road ~ 12 Main Road : house_number_missing
      12 Main ~ 12 Main Road : street_kind_missing
      12 Loop ~ 12 Loop Street : street_kind_missing
      12 Cottage Grove ~ 12 Cottage Grove Avenue : street_kind_missing
      12A Main Road ~ 12 Main Road : house_number_shortened
      12-14 Main Road ~ 12 Main Road : number_range
      12-14 Main Road ~ 14 Main Road : number_range
      12-16 Main Road ~ 14 Main Road : number_range
      Shop 3, 12 Main Road ~ 12 Main Road : unit_missing
      2nd Floor, 12 Main Road ~ 12 Main Road : unit_missing
      Vleiland Centre, 12 Main Road ~ 12 Main Road : complex_missing
      12 Main Road, Paarl ~ 12 Main Road : place_missing
      12 Main Road, PO Box 5 ~ 12 Main Road : box_missing
      12 North Main Road ~ 12 Main Road : direction_missing
      12 Main Road North ~ 12 Main Road : direction_missing
      12 Jan Smuts Ave ~ 12 J Smuts Avenue : initial
      12 Dr Nelson Mandela Drive ~ 12 Nelson Mandela Drive : title_missing
    `,
    unknown: `
      PO Box 12 ~ 12 Main Road : other_part
      12 Old Main Rd ~ 12 Main Rd : further_words
      12 Stellenbosch Road ~ 12 Stellenbosh Road : similar_spelling
      12 Notola Street ~ 12 Notoa Street : similar_spelling
      Hoofweg 12 ~ 12 Main Street : ambiguous
      tbc ~ 12 Main Road : no_value
    `,
    different: `
      12 3rd Avenue ~ 1 23rd Avenue
      2 1st Avenue ~ 21st Avenue
      11 2nd Street ~ 112 2nd Street
      3/12 Main Road ~ 312 Main Road
      12 Main Road ~ 14 Main Road
      12 Main Road ~ 12 Church Road
      12 Main Road ~ 12 Main Street
      PO Box 123 ~ PO Box 124
      Shop 3, 12 Main Road ~ Shop 4, 12 Main Road
      12 North Main Road ~ 12 South Main Road
      12A Main Road ~ 12B Main Road
      5th Avenue ~ 6th Avenue
      12-14 Main Road ~ 16 Main Road
    `,
  },
  'address.suburb': {
    same: `
      Sea Point ~ Seapoint
      Sea Point ~ SEA POINT
      Sea Point ~ Sea-Point
      Sea Point ~ Seepunt
      Green Point ~ Groenpunt
      Umhlanga ~ Umhlanga Rocks
      Kwa-Mashu ~ KwaMashu
      Mitchell's Plain ~ Mitchells Plain
      Mitchell’s Plain ~ Mitchells Plain
      Lenasia Ext 3 ~ Lenasia Extension 3
      Lenasia Ext. 3 ~ Lenasia Uitbreiding 3
      Lenasia Ext 3 ~ Lenasia X3
      Mt Edgecombe ~ Mount Edgecombe
      St James ~ Saint James
      Durban North ~ Durban Noord
      Bo-Kaap ~ Bo Kaap
      De Waterkant ~ de waterkant
      Obs ~ Observatory
    `,
    compatible: `
      Lenasia Ext 3 ~ Lenasia : extension_missing
      Sandton Central ~ Sandton : place_missing
      Sea Point, Cape Town ~ Sea Point : place_missing
      Vleiland Central ~ Vleiland : place_missing
    `,
    unknown: `
      Observatory ~ Obsevatory : similar_spelling
      Vleiland Hills ~ Vleiland : further_words
      none ~ Sea Point : no_value
    `,
    different: `
      Sea Point ~ Green Point
      Lenasia Ext 3 ~ Lenasia Ext 4
      Vleiland North ~ Vleiland
      Vleiland North ~ Vleiland South
      Hatfield ~ Arcadia
    `,
  },
  'address.city': {
    same: `
      Kaapstad ~ Cape Town
      Cape Town ~ CAPE TOWN
      Cape Town ~ Capetown
      Cape Town ~ iKapa
      CPT ~ Cape Town
      Port Elizabeth ~ Gqeberha
      PE ~ P.E.
      P.E. ~ Port Elizabeth
      Die Baai ~ Gqeberha
      Grahamstown ~ Makhanda
      Grahamstad ~ Grahamstown
      Uitenhage ~ Kariega
      Nelspruit ~ Mbombela
      Witbank ~ eMalahleni
      Pietersburg ~ Polokwane
      Warmbad ~ Bela-Bela
      Louis Trichardt ~ Makhado
      Joburg ~ Johannesburg
      JHB ~ Jozi
      PTA ~ Pretoria
      Tshwane ~ Pretoria
      Oos-Londen ~ East London
      Mosselbaai ~ Mossel Bay
      Plettenbergbaai ~ Plettenberg Bay
      Plettenberg-baai ~ Plettenberg Bay
      Somerset-Wes ~ Somerset West
      Graaff-Reinet ~ Graaff Reinet
      Richardsbaai ~ Richards Bay
      Cape Town / Kaapstad ~ Kaapstad
      Sutherland ~ sutherland
      Mafikeng ~ Mahikeng
      King William's Town ~ Qonce
      Durban ~ eThekwini
    `,
    compatible: `
      Sandton ~ Johannesburg : within_metropolis
      Bellville ~ Kaapstad : within_metropolis
      Centurion ~ Tshwane : within_metropolis
      Umhlanga ~ Durban : within_metropolis
    `,
    unknown: `
      Stellenbosch ~ Stellenbosh : similar_spelling
      Johannesburg ~ Johanesburg : similar_spelling
      Vleiland Junction ~ Vleiland : further_words
      ? ~ Cape Town : no_value
    `,
    different: `
      Cape Town ~ Durban
      Kaapstad ~ Gqeberha
      Port Elizabeth ~ Port Alfred
      Riebeek West ~ Riebeek Kasteel
      Sandton ~ Durban
      Bellville ~ Pretoria
    `,
  },
  'address.province': {
    same: `
      KZN ~ KwaZulu-Natal
      KZN ~ Kwazulu Natal
      KwaZulu-Natal ~ Kwa-Zulu Natal
      Gauteng ~ GP
      GAUTENG. ~ Gauteng
      Gauteng ~ Gauteng Province
      Gauteng ~ Provinsie Gauteng
      Western Cape ~ WC
      Western Cape ~ Wes-Kaap
      Western Cape ~ ZA-WC
      Western Cape ~ W Cape
      Western Cape ~ W. Cape
      Western Cape ~ Weskaap
      Eastern Cape ~ Oos-Kaap
      Eastern Cape ~ E Cape
      Northern Cape ~ Noord-Kaap
      Free State ~ Vrystaat
      Free State ~ FREESTATE
      Free State ~ Orange Free State
      North West ~ NW
      North-West ~ Noordwes
      North West ~ North-West Province
      Limpopo ~ LP
      Limpopo ~ Northern Province
      Gauteng ~ Guateng
      Mpumalanga ~ MP
      Mpumalanga ~ Eastern Transvaal
      Khomas ~ KHOMAS
    `,
    unknown: `
      WP ~ Western Cape : ambiguous
      NP ~ Limpopo : ambiguous
      Transvaal ~ Gauteng : ambiguous
      California ~ CA : ambiguous
      Khomas Region ~ Khomas Regoin : similar_spelling
      none ~ Gauteng : no_value
    `,
    different: `
      Gauteng ~ Limpopo
      Western Cape ~ Eastern Cape
      Northern Cape ~ Northern Province
      WC ~ KZN
      Khomas ~ Erongo
    `,
  },
  'address.postalCode': {
    same: `
      0081 ~ 81
      0081 ~ 081
      8001 ~ 8001.0
      8001 ~  8001
      8001 ~ ８００１
      8001 ~ 8001 Cape Town
      0081 ~ Poskode 0081
      SW1A 1AA ~ sw1a1aa
      K1A 0B1 ~ K1A-0B1
      02134 ~ 02134
    `,
    compatible: `
      60302-1234 ~ 60302 : code_shortened
    `,
    unknown: `
      n/a ~ 8001 : no_value
      Cape Town ~ 8001 : unreadable
    `,
    different: `
      8001 ~ 8002
      0081 ~ 8100
      SW1A 1AA ~ SW1A 2AA
      60302-1234 ~ 60302-1235
    `,
  },
  'address.country': {
    same: `
      ZA ~ South Africa
      ZA ~ ZAF
      RSA ~ Suid-Afrika
      RSA ~ R.S.A.
      South Africa ~ Republic of South Africa
      South Africa ~ Republiek van Suid-Afrika
      South Africa ~ SOUTH AFRICA
      South Africa ~ Südafrika
      South Africa ~ S. Africa
      Swaziland ~ Eswatini
      NA ~ Namibia
      Namibia ~ Namibië
      Nederland ~ The Netherlands
      Holland ~ Netherlands
      USA ~ United States
      U.S.A. ~ United States of America
      VSA ~ USA
      UK ~ United Kingdom
      Great Britain ~ GB
      Duitsland ~ Germany
      Lesotho ~ Kingdom of Lesotho
      Mosambiek ~ Mozambique
      DRC ~ Democratic Republic of the Congo
    `,
    compatible: `
      SA ~ South Africa : abbreviation
      SA ~ Saudi Arabia : abbreviation
      Congo ~ DRC : abbreviation
    `,
    unknown: `
      South Afrika ~ South Africa : similar_spelling
      Utopia ~ South Africa : unreadable
      - ~ South Africa : no_value
    `,
    different: `
      South Africa ~ Namibia
      ZA ~ BW
      Congo ~ Namibia
      Germany ~ Nederland
      SA ~ Namibia
    `,
  },
  email: {
    same: `
      Jan@Karoo.co.za ~ jan@karoo.co.za
      jan@karoo.co.za ~ mailto:jan@karoo.co.za
      jan@karoo.co.za ~ Jan Smit <jan@karoo.co.za>
      jan@karoo.co.za ~  JAN@KAROO.CO.ZA
      info@müller.de ~ info@xn--mller-kva.de
      jan [at] karoo.co.za ~ jan@karoo.co.za
      jan at karoo dot co dot za ~ jan@karoo.co.za
      E-mail: jan@karoo.co.za. ~ jan@karoo.co.za
    `,
    compatible: `
      j.an@gmail.com ~ jan@googlemail.com : same_mailbox
      jan+news@karoo.co.za ~ jan@karoo.co.za : same_mailbox
      jan@proton.me ~ jan@protonmail.com : same_mailbox
    `,
    unknown: `
      jan at karoo ~ jan@karoo.co.za : unreadable
      jan@karoo.co.za, piet@karoo.co.za ~ jan@karoo.co.za : unreadable
      none ~ jan@karoo.co.za : no_value
    `,
    different: `
      jan@karoo.co.za ~ piet@karoo.co.za
      jan@karoo.co.za ~ jan@karoo.com
      j.an@karoo.co.za ~ jan@karoo.co.za
    `,
  },
  phone: {
    same: `
      +27 21 555 6601 ~ +27215556601
      +27 21 555 6601 ~ 0027 21 555 6601
      +27 21 555 6601 ~ +27 (0)21 555 6601
      +27 21 555 6601 ~ +27-21-555-6601
      +27 21 555 6601 ~ tel:+27215556601
      +27 21 555 6601 ~ (+27) 21 555 6601
      +27 82 555 8834 ~ WhatsApp: +27 82 555 8834
      +27 82 555 8834 ~ +27 82 555 8834 (Jan)
      021 555 6601 ~ (021) 555-6601
      021 555 6601 ~ 021.555.6601
      ０２１ ５５５ ６６０１ ~ 0215556601
    `,
    compatible: `
      021 555 6601 ~ +27 21 555 6601 : country_missing
      555 6601 ~ +27 21 555 6601 : area_code_missing
      +27 21 555 6601 x4 ~ +27 21 555 6601 : extension_missing
      +27 21 555 6601 ext. 4 ~ +27 21 555 6601 : extension_missing
    `,
    unknown: `
      +27 82 555 884 ~ +27 82 555 8840 : unreadable
      n/a ~ +27 21 555 6601 : no_value
      call the office ~ +27 21 555 6601 : unreadable
    `,
    different: `
      +27 21 555 6601 ~ +27 21 555 6602
      +27 21 555 6601 ~ +264 81 123 4567
      021 555 6601 ~ +27 21 555 6602
      +27 21 555 6601 x4 ~ +27 21 555 6601 x5
    `,
  },
  domain: {
    same: `
      karoo.co.za ~ www.karoo.co.za
      karoo.co.za ~ https://www.karoo.co.za/
      karoo.co.za ~ HTTP://KAROO.CO.ZA
      karoo.co.za ~ karoo.co.za.
      karoo.co.za ~ https://karoo.co.za/contact?utm_source=x
      karoo.co.za ~ karoo.co.za:443
      müller.de ~ xn--mller-kva.de
      https://www.facebook.com/Alpha/?ref=page ~ m.facebook.com/alpha
      https://facebook.com/alpha ~ http://www.facebook.com/alpha/
      fb.com/alpha ~ facebook.com/alpha
      https://twitter.com/alpha ~ x.com/Alpha
      af-za.facebook.com/alpha ~ facebook.com/alpha?fbclid=1
      facebook.com/profile.php?id=12 ~ https://m.facebook.com/profile.php?id=12&ref=x
      vlei.wixsite.com/shop ~ vlei.wixsite.com
    `,
    compatible: `
      shop.karoo.co.za ~ karoo.co.za : subdomain_missing
      https://en.karoo.co.za/ ~ www.karoo.co.za : subdomain_missing
    `,
    unknown: `
      facebook.com ~ facebook.com/alpha : page_missing
      www.instagram.com/ ~ instagram.com/alpha : page_missing
      no website ~ karoo.co.za : unreadable
      geen ~ karoo.co.za : no_value
    `,
    different: `
      karoo.co.za ~ karoo.com
      karoo.co.za ~ vlei.co.za
      facebook.com/alpha ~ facebook.com/beta
      facebook.com/alpha ~ instagram.com/alpha
      facebook.com/alpha ~ karoo.co.za
      alpha.wixsite.com ~ beta.wixsite.com
      alpha.wordpress.com ~ beta.wordpress.com
      facebook.com/profile.php?id=12 ~ facebook.com/profile.php?id=13
      shop.karoo.co.za ~ blog.karoo.co.za
    `,
  },
  wholeNumber: {
    same: `
      1200 ~ 1,200
      1200 ~ 1 200
      50 ~ 50.0
    `,
    unknown: `
      50 ~ 50+ : unreadable
      50 ~ 11-50 : unreadable
      20 ~ ~20 : unreadable
      1000 ~ 1.000 : unreadable
      50 ~ unknown : no_value
    `,
    different: `
      50 ~ 60
      12 ~ 1200
    `,
  },
  text: {
    same: `
      The shop is open. ~ the shop is open
      Open Mon-Fri ~ open mon fri
      Café ~ CAFE
    `,
    compatible: `
      Open daily ~ We are open daily now : text_shortened
    `,
    unknown: `
      Open dialy ~ Open daily : similar_spelling
    `,
    different: `
      Open daily ~ Closed on Sundays
    `,
  },
}

export type LabelledPair = {
  field: ComparedField
  one: string
  other: string
  answer: Agreement['answer']
  reason: string | null
}

export const labelledPairs: readonly LabelledPair[] = (Object.keys(lines) as ComparedField[]).flatMap((field) =>
  (Object.keys(lines[field]) as Agreement['answer'][]).flatMap((answer) =>
    (lines[field][answer] ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => {
        const [pair = '', reason = null] = line.split(/ : (?=[a-z_]+$)/)
        const [one = '', other = ''] = pair.split(' ~ ')
        return { field, one, other, answer, reason }
      }),
  ),
)
