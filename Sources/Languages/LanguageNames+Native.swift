extension LanguageNames {
    /// The names of languages in themselves, also in their regions (Unicode CLDR).
    static let nativeTable = """
        aa=Afar|ab=Abkhazian|ae=Avestan|af=Afrikaans|af-NA=Afrikaans (Namibië)|af-ZA=Afrikaans (Suid-Afrika)|
        agq=Aghem|agq-CM=Aghem (Kàmàlûŋ)|ain=アイヌ・イタㇰ|ain-JP=Ainu (Japan)|ak=Akan|ak-GH=Akan (Gaana)|am=አማርኛ|
        am-ET=አማርኛ (ኢትዮጵያ)|an=Aragonese|apw=Nṉee biyátiʼ|apw-US=Apache, Western (United States)|ar=العربية|
        ar-001=العربية (العالم)|ar-AE=العربية (الإمارات العربية المتحدة)|ar-BH=العربية (البحرين)|
        ar-DJ=العربية (جيبوتي)|ar-DZ=العربية (الجزائر)|ar-EG=العربية (مصر)|ar-EH=العربية (الصحراء الغربية)|
        ar-ER=العربية (إريتريا)|ar-IL=العربية (إسرائيل)|ar-IQ=العربية (العراق)|ar-JO=العربية (الأردن)|
        ar-KM=العربية (جزر القمر)|ar-KW=العربية (الكويت)|ar-LB=العربية (لبنان)|ar-LY=العربية (ليبيا)|
        ar-MA=العربية (المغرب)|ar-MR=العربية (موريتانيا)|ar-OM=العربية (عُمان)|ar-PS=العربية (الأراضي الفلسطينية)|
        ar-QA=العربية (قطر)|ar-SA=العربية (المملكة العربية السعودية)|ar-SD=العربية (السودان)|
        ar-SO=العربية (الصومال)|ar-SS=العربية (جنوب السودان)|ar-SY=العربية (سوريا)|ar-TD=العربية (تشاد)|
        ar-TN=العربية (تونس)|ar-YE=العربية (اليمن)|arn=Mapudungun|arn-CL=Mapuche (Chile)|as=অসমীয়া|
        as-IN=অসমীয়া (ভাৰত)|asa=Kipare|asa-TZ=Kipare (Tadhania)|ast=asturianu|ast-ES=asturianu (España)|av=Avaric|
        ay=Aymara|az=azərbaycan|az-Cyrl=азәрбајҹан (Кирил)|az-Cyrl-AZ=азәрбајҹан (Кирил, Азәрбајҹан)|
        az-Latn=azərbaycan (latın)|az-Latn-AZ=azərbaycan (latın, Azərbaycan)|ba=башҡорт теле|ba-RU=Bashkir (Russia)|
        bas=Ɓàsàa|bas-CM=Ɓàsàa (Kàmɛ̀rûn)|be=беларуская|be-BY=беларуская (Беларусь)|bem=Ichibemba|
        bem-ZM=Ichibemba (Zambia)|ber=ⴰⵎⴰⵣⵉⵖ|ber-Latn=Amaziɣ (Latin)|ber-Latn-MA=Amaziɣ (Latin, Lmɣrib)|
        ber-Tfng=ⴰⵎⴰⵣⵉⵖ (ⵜⴼⵏⵗ)|ber-Tfng-MA=Amazigh (Tifinagh, Morocco)|bez=Hibena|bez-TZ=Hibena (Hutanzania)|
        bg=български|bg-BG=български (България)|bgc=हरियाणवी|bgc-IN=हरियाणवी (भारत)|bho=भोजपुरी|
        bho-IN=भोजपुरी (भारत)|bi=Bislama|blo=anii kagɩja|blo-BJ=anii kagɩja (Benɛɛ)|bm=bamanakan|
        bm-ML=bamanakan (Mali)|bn=বাংলা|bn-BD=বাংলা (বাংলাদেশ)|bn-IN=বাংলা (ভারত)|bo=བོད་སྐད་|
        bo-CN=བོད་སྐད་ (རྒྱ་ནག)|bo-IN=བོད་སྐད་ (རྒྱ་གར་)|br=brezhoneg|br-FR=brezhoneg (Frañs)|brx=बरʼ|
        brx-IN=बरʼ (भारत)|bs=bosanski|bs-Cyrl=босански (ћирилица)|
        bs-Cyrl-BA=босански (ћирилица, Босна и Херцеговина)|bs-Latn=bosanski (latinica)|
        bs-Latn-BA=bosanski (latinica, Bosna i Hercegovina)|byn=ብሊን|byn-ER=ብሊን (ኤርትራ)|ca=català|
        ca-AD=català (Andorra)|ca-ES=català (Espanya)|ca-FR=català (França)|ca-IT=català (Itàlia)|ccp=𑄌𑄋𑄴𑄟𑄳𑄦|
        ccp-BD=𑄌𑄋𑄴𑄟𑄳𑄦 (𑄝𑄁𑄣𑄘𑄬𑄌𑄴)|ccp-IN=𑄌𑄋𑄴𑄟𑄳𑄦 (𑄞𑄢𑄧𑄖𑄴)|ce=нохчийн|ce-RU=нохчийн (Росси)|ceb=Cebuano|
        ceb-PH=Cebuano (Pilipinas)|cgg=Rukiga|cgg-UG=Rukiga (Uganda)|ch=Chamorro|cho=Chahta|
        cho-US=Chahta (United States)|chr=ᏣᎳᎩ|chr-US=ᏣᎳᎩ (ᏌᏊ ᎢᏳᎾᎵᏍᏔᏅ ᏍᎦᏚᎩ)|cic=Chikashshanompaʼ|
        cic-US=Chikashshanompaʼ (United States)|ckb=کوردیی ناوەندی|ckb-IQ=کوردیی ناوەندی (عێراق)|
        ckb-IR=کوردیی ناوەندی (ئێران)|cmn=Chinese|co=corsu|co-FR=Corsican (France)|cr=Cree|cs=čeština|
        cs-CZ=čeština (Česko)|csw=ᓀᐦᐃᓇᐍᐏᐣ|csw-CA=ᓀᐦᐃᓇᐍᐏᐣ (ᑳᓇᑕ)|cu=Church Slavic|cv=чӑваш|cv-RU=чӑваш (Раҫҫей)|
        cy=Cymraeg|cy-GB=Cymraeg (Y Deyrnas Unedig)|da=dansk|da-DK=dansk (Danmark)|da-GL=dansk (Grønland)|
        dav=Kitaita|dav-KE=Kitaita (Kenya)|de=Deutsch|de-AT=Deutsch (Österreich)|de-BE=Deutsch (Belgien)|
        de-CH=Deutsch (Schweiz)|de-DE=Deutsch (Deutschland)|de-IT=Deutsch (Italien)|de-LI=Deutsch (Liechtenstein)|
        de-LU=Deutsch (Luxemburg)|dje=Zarmaciine|dje-NE=Zarmaciine (Nižer)|doi=डोगरी|doi-IN=डोगरी (भारत)|
        dsb=dolnoserbšćina|dsb-DE=dolnoserbšćina (Nimska)|dua=duálá|dua-CM=duálá (Cameroun)|dv=ދިވެހިބަސް|
        dv-MV=ދިވެހިބަސް (ދިވެހި ރާއްޖެ)|dyo=joola|dyo-SN=joola (Senegal)|dz=རྫོང་ཁ་|dz-BT=རྫོང་ཁ་། (འབྲུག།)|
        ebu=Kĩembu|ebu-KE=Kĩembu (Kenya)|ee=eʋegbe|ee-GH=eʋegbe (Ghana nutome)|ee-TG=eʋegbe (Togo nutome)|
        el=Ελληνικά|el-CY=Ελληνικά (Κύπρος)|el-GR=Ελληνικά (Ελλάδα)|en=English|en-001=English (world)|
        en-150=English (Europe)|en-AE=English (United Arab Emirates)|en-AG=English (Antigua & Barbuda)|
        en-AI=English (Anguilla)|en-AL=English (Albania)|en-AR=English (Argentina)|en-AS=English (American Samoa)|
        en-AT=English (Austria)|en-AU=English (Australia)|en-BB=English (Barbados)|en-BD=English (Bangladesh)|
        en-BE=English (Belgium)|en-BG=English (Bulgaria)|en-BI=English (Burundi)|en-BM=English (Bermuda)|
        en-BN=English (Brunei)|en-BR=English (Brazil)|en-BS=English (Bahamas)|en-BW=English (Botswana)|
        en-BZ=English (Belize)|en-CA=English (Canada)|en-CC=English (Cocos [Keeling] Islands)|
        en-CH=English (Switzerland)|en-CK=English (Cook Islands)|en-CL=English (Chile)|en-CM=English (Cameroon)|
        en-CN=English (China mainland)|en-CO=English (Colombia)|en-CV=English (Cape Verde)|
        en-CX=English (Christmas Island)|en-CY=English (Cyprus)|en-CZ=English (Czechia)|en-DE=English (Germany)|
        en-DG=English (Diego Garcia)|en-DK=English (Denmark)|en-DM=English (Dominica)|en-EE=English (Estonia)|
        en-ER=English (Eritrea)|en-FI=English (Finland)|en-FJ=English (Fiji)|en-FK=English (Falkland Islands)|
        en-FM=English (Micronesia)|en-FR=English (France)|en-GB=English (United Kingdom)|en-GD=English (Grenada)|
        en-GG=English (Guernsey)|en-GH=English (Ghana)|en-GI=English (Gibraltar)|en-GM=English (Gambia)|
        en-GR=English (Greece)|en-GU=English (Guam)|en-GY=English (Guyana)|en-HK=English (Hong Kong)|
        en-HU=English (Hungary)|en-ID=English (Indonesia)|en-IE=English (Ireland)|en-IL=English (Israel)|
        en-IM=English (Isle of Man)|en-IN=English (India)|en-IO=English (Chagos Archipelago)|en-JE=English (Jersey)|
        en-JM=English (Jamaica)|en-JP=English (Japan)|en-KE=English (Kenya)|en-KI=English (Kiribati)|
        en-KN=English (St Kitts & Nevis)|en-KR=English (South Korea)|en-KY=English (Cayman Islands)|
        en-LC=English (St Lucia)|en-LR=English (Liberia)|en-LS=English (Lesotho)|en-LT=English (Lithuania)|
        en-LV=English (Latvia)|en-MG=English (Madagascar)|en-MH=English (Marshall Islands)|
        en-MM=English (Myanmar [Burma])|en-MO=English (Macao)|en-MP=English (Northern Mariana Islands)|
        en-MS=English (Montserrat)|en-MT=English (Malta)|en-MU=English (Mauritius)|en-MV=English (Maldives)|
        en-MW=English (Malawi)|en-MX=English (Mexico)|en-MY=English (Malaysia)|en-NA=English (Namibia)|
        en-NF=English (Norfolk Island)|en-NG=English (Nigeria)|en-NL=English (Netherlands)|en-NO=English (Norway)|
        en-NR=English (Nauru)|en-NU=English (Niue)|en-NZ=English (New Zealand)|en-PG=English (Papua New Guinea)|
        en-PH=English (Philippines)|en-PK=English (Pakistan)|en-PL=English (Poland)|
        en-PN=English (Pitcairn Islands)|en-PR=English (Puerto Rico)|en-PT=English (Portugal)|en-PW=English (Palau)|
        en-RU=English (Russia)|en-RW=English (Rwanda)|en-SA=English (Saudi Arabia)|en-SB=English (Solomon Islands)|
        en-SC=English (Seychelles)|en-SD=English (Sudan)|en-SE=English (Sweden)|en-SG=English (Singapore)|
        en-SH=English (St Helena)|en-SI=English (Slovenia)|en-SK=English (Slovakia)|en-SL=English (Sierra Leone)|
        en-SS=English (South Sudan)|en-SX=English (Sint Maarten)|en-SZ=English (Eswatini)|
        en-TC=English (Turks & Caicos Islands)|en-TH=English (Thailand)|en-TK=English (Tokelau)|
        en-TO=English (Tonga)|en-TR=English (Türkiye)|en-TT=English (Trinidad & Tobago)|en-TV=English (Tuvalu)|
        en-TW=English (Taiwan)|en-TZ=English (Tanzania)|en-UA=English (Ukraine)|en-UG=English (Uganda)|
        en-UM=English (U.S. Outlying Islands)|en-US=English (United States)|
        en-VC=English (St Vincent & the Grenadines)|en-VG=English (British Virgin Islands)|
        en-VI=English (U.S. Virgin Islands)|en-VU=English (Vanuatu)|en-WS=English (Samoa)|
        en-ZA=English (South Africa)|en-ZM=English (Zambia)|en-ZW=English (Zimbabwe)|eo=Esperanto|
        eo-001=Esperanto (mondo)|es=español|es-003=español (América del Norte)|es-419=español (Latinoamérica)|
        es-AG=español (Antigua y Barbuda)|es-AR=español (Argentina)|es-BB=español (Barbados)|
        es-BM=español (Bermudas)|es-BO=español (Bolivia)|es-BQ=español (Caribe neerlandés)|es-BR=español (Brasil)|
        es-BS=español (Bahamas)|es-BZ=español (Belice)|es-CA=español (Canadá)|es-CL=español (Chile)|
        es-CO=español (Colombia)|es-CR=español (Costa Rica)|es-CU=español (Cuba)|es-CW=español (Curazao)|
        es-DM=español (Dominica)|es-DO=español (República Dominicana)|es-EA=español (Ceuta y Melilla)|
        es-EC=español (Ecuador)|es-ES=español (España)|es-GD=español (Granada)|es-GQ=español (Guinea Ecuatorial)|
        es-GT=español (Guatemala)|es-GY=español (Guyana)|es-HN=español (Honduras)|es-HT=español (Haití)|
        es-IC=español (Canarias)|es-KN=español (San Cristóbal y Nieves)|es-KY=español (Islas Caimán)|
        es-LC=español (Santa Lucía)|es-MX=español (México)|es-NI=español (Nicaragua)|es-PA=español (Panamá)|
        es-PE=español (Perú)|es-PH=español (Filipinas)|es-PR=español (Puerto Rico)|es-PY=español (Paraguay)|
        es-SV=español (El Salvador)|es-TC=español (Islas Turcas y Caicos)|es-TT=español (Trinidad y Tobago)|
        es-US=español (Estados Unidos)|es-UY=español (Uruguay)|es-VC=español (San Vicente y las Granadinas)|
        es-VE=español (Venezuela)|es-VG=español (Islas Vírgenes Británicas)|
        es-VI=español (Islas Vírgenes de EE. UU.)|et=eesti|et-EE=eesti (Eesti)|eu=euskara|eu-ES=euskara (Espainia)|
        ewo=ewondo|ewo-CM=ewondo (Kamərún)|fa=فارسی|fa-AF=فارسی (افغانستان)|fa-IR=فارسی (ایران)|ff=Pulaar|
        ff-Adlm=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃)|ff-Adlm-BF=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤄𞤵𞤪𞤳𞤭𞤲𞤢 𞤊𞤢𞤧𞤮𞥅)|ff-Adlm-CM=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤑𞤢𞤥𞤢𞤪𞤵𞥅𞤲)|
        ff-Adlm-GH=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤘𞤢𞤲𞤢)|ff-Adlm-GM=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤘𞤢𞤥𞤦𞤭𞤴𞤢)|ff-Adlm-GN=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤘𞤭𞤲𞤫)|
        ff-Adlm-GW=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤘𞤭𞤲𞤫-𞤄𞤭𞤧𞤢𞤱𞤮𞥅)|ff-Adlm-LR=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤂𞤢𞤦𞤭𞤪𞤭𞤴𞤢𞥄)|
        ff-Adlm-MR=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤃𞤮𞤪𞤼𞤢𞤲𞤭𞥅)|ff-Adlm-NE=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤐𞤭𞥅𞤶𞤫𞤪)|ff-Adlm-NG=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤐𞤢𞤶𞤫𞤪𞤭𞤴𞤢𞥄)|
        ff-Adlm-SL=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤅𞤢𞤪𞤢𞤤𞤮𞤲)|ff-Adlm-SN=𞤆𞤵𞤤𞤢𞤪 (𞤀𞤁𞤂𞤢𞤃⹁ 𞤅𞤫𞤲𞤫𞤺𞤢𞥄𞤤)|ff-Latn=Fula (Latin)|
        ff-Latn-BF=Fula (Latin, Burkina Faso)|ff-Latn-CM=Fula (Latin, Cameroon)|ff-Latn-GH=Fula (Latin, Ghana)|
        ff-Latn-GM=Fula (Latin, Gambia)|ff-Latn-GN=Fula (Latin, Guinea)|ff-Latn-GW=Fula (Latin, Guinea-Bissau)|
        ff-Latn-LR=Fula (Latin, Liberia)|ff-Latn-MR=Fula (Latin, Mauritania)|ff-Latn-NE=Fula (Latin, Niger)|
        ff-Latn-NG=Fula (Latin, Nigeria)|ff-Latn-SL=Fula (Latin, Sierra Leone)|ff-Latn-SN=Fula (Latin, Senegal)|
        fi=suomi|fi-FI=suomi (Suomi)|fil=Filipino|fil-PH=Filipino (Pilipinas)|fj=Fijian|fo=føroyskt|
        fo-DK=føroyskt (Danmark)|fo-FO=føroyskt (Føroyar)|fr=français|fr-BE=français (Belgique)|
        fr-BF=français (Burkina Faso)|fr-BI=français (Burundi)|fr-BJ=français (Bénin)|
        fr-BL=français (Saint-Barthélemy)|fr-CA=français (Canada)|fr-CD=français (Congo-Kinshasa)|
        fr-CF=français (République centrafricaine)|fr-CG=français (Congo-Brazzaville)|fr-CH=français (Suisse)|
        fr-CI=français (Côte d’Ivoire)|fr-CM=français (Cameroun)|fr-DJ=français (Djibouti)|fr-DZ=français (Algérie)|
        fr-FR=français (France)|fr-GA=français (Gabon)|fr-GF=français (Guyane française)|fr-GN=français (Guinée)|
        fr-GP=français (Guadeloupe)|fr-GQ=français (Guinée équatoriale)|fr-HT=français (Haïti)|
        fr-KM=français (Comores)|fr-LU=français (Luxembourg)|fr-MA=français (Maroc)|fr-MC=français (Monaco)|
        fr-MF=français (Saint-Martin)|fr-MG=français (Madagascar)|fr-ML=français (Mali)|fr-MQ=français (Martinique)|
        fr-MR=français (Mauritanie)|fr-MU=français (Maurice)|fr-NC=français (Nouvelle-Calédonie)|
        fr-NE=français (Niger)|fr-PF=français (Polynésie française)|fr-PM=français (Saint-Pierre-et-Miquelon)|
        fr-RE=français (La Réunion)|fr-RW=français (Rwanda)|fr-SC=français (Seychelles)|fr-SN=français (Sénégal)|
        fr-SY=français (Syrie)|fr-TD=français (Tchad)|fr-TG=français (Togo)|fr-TN=français (Tunisie)|
        fr-VU=français (Vanuatu)|fr-WF=français (Wallis-et-Futuna)|fr-YT=français (Mayotte)|fur=furlan|
        fur-IT=furlan (Italie)|fy=Frysk|fy-NL=Frysk (Nederlân)|ga=Gaeilge|ga-GB=Gaeilge (an Ríocht Aontaithe)|
        ga-IE=Gaeilge (Éire)|gaa=Gã|gaa-GH=Gã (Ghana)|gd=Gàidhlig|gd-GB=Gàidhlig (An Rìoghachd Aonaichte)|gez=ግዕዝኛ|
        gez-ER=ግዕዝኛ (ኤርትራ)|gez-ET=ግዕዝኛ (ኢትዮጵያ)|gl=galego|gl-ES=galego (España)|gn=avañe’ẽ|gn-PY=Guarani (Paraguay)|
        gsw=Schwiizertüütsch|gsw-CH=Schwiizertüütsch (Schwiiz)|gsw-FR=Schwiizertüütsch (Frankriich)|
        gsw-LI=Schwiizertüütsch (Liächteschtäi)|gu=ગુજરાતી|gu-IN=ગુજરાતી (ભારત)|guz=Ekegusii|
        guz-KE=Ekegusii (Kenya)|gv=Gaelg|gv-IM=Gaelg (Ellan Vannin)|ha=Hausa|ha-GH=Hausa (Gana)|ha-NE=Hausa (Nijar)|
        ha-NG=Hausa (Nijeriya)|haw=ʻŌlelo Hawaiʻi|haw-US=ʻŌlelo Hawaiʻi (ʻAmelika Hui Pū ʻIa)|he=עברית|
        he-IL=עברית (ישראל)|hi=हिन्दी|hi-IN=हिन्दी (भारत)|hi-Latn=Hindi (Latin)|hi-Latn-IN=Hindi (Latin, Bharat)|
        hmn=𖬌𖬣𖬵|hmn-CN=𖬌𖬣𖬵 (CN)|ho=Hiri Motu|hr=hrvatski|hr-BA=hrvatski (Bosna i Hercegovina)|
        hr-HR=hrvatski (Hrvatska)|hsb=hornjoserbšćina|hsb-DE=hornjoserbšćina (Němska)|ht=créole haïtien|hu=magyar|
        hu-HU=magyar (Magyarország)|hy=հայերեն|hy-AM=հայերեն (Հայաստան)|hz=Herero|ia=interlingua|
        ia-001=interlingua (mundo)|id=Indonesia|id-ID=Indonesia (Indonesia)|ie=Interlingue|
        ie-EE=Interlingue (Estonia)|ig=Igbo|ig-NG=Igbo (Naịjịrịa)|ii=ꆈꌠꉙ|ii-CN=ꆈꌠꉙ（ꍏꇩ）|ik=Inupiaq|inh=ГӀалгӀай мотт|
        io=Ido|io-001=Ido (world)|is=íslenska|is-IS=íslenska (Ísland)|it=italiano|it-CH=italiano (Svizzera)|
        it-IT=italiano (Italia)|it-SM=italiano (San Marino)|it-VA=italiano (Città del Vaticano)|iu=ᐃᓄᒃᑎᑐᑦ|
        iu-CA=ᐃᓄᒃᑎᑐᑦ (ᑲᓇᑕᒥ)|ja=日本語|ja-JP=日本語（日本）|jbo=la .lojban.|jbo-001=Lojban (world)|jgo=Ndaꞌa|
        jgo-CM=Ndaꞌa (Kamɛlûn)|jmc=Kimachame|jmc-TZ=Kimachame (Tanzania)|jv=Jawa|jv-ID=Jawa (Indonésia)|ka=ქართული|
        ka-GE=ქართული (საქართველო)|kab=Taqbaylit|kab-DZ=Taqbaylit (Lezzayer)|kaj=Kaje|kaj-NG=Jju (Nigeria)|
        kam=Kikamba|kam-KE=Kikamba (Kenya)|kcg=Katab|kcg-NG=Tyap (Nigeria)|kde=Chimakonde|
        kde-TZ=Chimakonde (Tanzania)|kea=kabuverdianu|kea-CV=kabuverdianu (Kabu Verdi)|kg=Kongo|kgp=kanhgág|
        kgp-BR=kanhgág (Mrasir)|khq=Koyra ciini|khq-ML=Koyra ciini (Maali)|ki=Gikuyu|ki-KE=Gikuyu (Kenya)|
        kj=Kuanyama|kk=қазақ тілі|kk-Cyrl=қазақ тілі (кирилл жазуы)|kk-Cyrl-KZ=қазақ тілі (кирилл жазуы, Қазақстан)|
        kk-KZ=қазақ тілі (Қазақстан)|kkj=kakɔ|kkj-CM=kakɔ (Kamɛrun)|kl=kalaallisut|
        kl-GL=kalaallisut (Kalaallit Nunaat)|kln=Kalenjin|kln-KE=Kalenjin (Emetab Kenya)|km=ខ្មែរ|
        km-KH=ខ្មែរ (កម្ពុជា)|kn=ಕನ್ನಡ|kn-IN=ಕನ್ನಡ (ಭಾರತ)|ko=한국어|ko-CN=한국어(중국 본토)|ko-KP=한국어(조선민주주의인민공화국)|
        ko-KR=한국어(대한민국)|kok=कोंकणी|kok-Deva=कोंकणी (देवनागरी)|kok-Deva-IN=कोंकणी (देवनागरी, भारत)|
        kok-Latn=Konknni (Romi)|kok-Latn-IN=Konknni (Romi, Bharot)|kpe=Kpɛlɛɛ|kpe-GN=Kpelle (Guinea)|
        kpe-LR=Kpelle (Liberia)|kr=Kanuri|ks=کٲشُر|ks-Arab=کٲشُر (نسخ)|ks-Arab-IN=کٲشُر (نسخ, ہِندوستان)|
        ks-Aran-IN=کٲشُر (نستعلیق, ہِندوستان)|ks-Deva=कॉशुर (देवनागरी)|ks-Deva-IN=कॉशुर (देवनागरी, हिंदोस्तान)|
        ksb=Kishambaa|ksb-TZ=Kishambaa (Tanzania)|ksf=rikpa|ksf-CM=rikpa (kamɛrún)|ksh=Kölsch|
        ksh-DE=Kölsch en Doütschland|ku=kurdî (kurmancî)|ku-TR=kurdî (kurmancî) (Tirkîye)|kv=Komi|kw=kernewek|
        kw-GB=kernewek (Rywvaneth Unys)|kxv=kuvi|kxv-Deva=कुवि (देवनागरी)|kxv-Deva-IN=कुवि (देवनागरी, बारत)|
        kxv-Latn=kuvi (laṭin)|kxv-Latn-IN=kuvi (laṭin, inḍiā)|kxv-Orya=କୁୱି (ଅଡ଼ିଆ)|kxv-Orya-IN=କୁୱି (ଅଡ଼ିଆ, ବାରତ)|
        kxv-Telu=కువి (తెలుగు)|kxv-Telu-IN=కువి (తెలుగు, బారతదెసాం)|ky=кыргызча|ky-KG=кыргызча (Кыргызстан)|
        la=Latin|lag=Kɨlaangi|lag-TZ=Kɨlaangi (Taansanía)|lb=Lëtzebuergesch|lb-LU=Lëtzebuergesch (Lëtzebuerg)|
        lg=Luganda|lg-UG=Luganda (Yuganda)|li=Limburgish|lij=ligure|lij-IT=ligure (Italia)|lkt=Lakȟólʼiyapi|
        lkt-US=Lakȟólʼiyapi (Mílahaŋska Tȟamákȟočhe)|lmo=Lombard|lmo-IT=Lombard (Italia)|ln=lingála|
        ln-AO=lingála (Angóla)|ln-CD=lingála (Republíki ya Kongó Demokratíki)|
        ln-CF=lingála (Repibiki ya Afríka ya Káti)|ln-CG=lingála (Kongo)|lo=ລາວ|lo-LA=ລາວ (ລາວ)|lrc=لۊری شومالی|
        lrc-IQ=Northern Luri (Iraq)|lrc-IR=Northern Luri (Iran)|lt=lietuvių|lt-LT=lietuvių (Lietuva)|lu=Tshiluba|
        lu-CD=Tshiluba (Ditunga wa Kongu)|luo=Dholuo|luo-KE=Dholuo (Kenya)|lut=dxʷləšucid · txʷəlšucid · xʷəlšucid|
        luy=Luluhia|luy-KE=Luluhia (Kenya)|lv=latviešu|lv-LV=latviešu (Latvija)|mai=मैथिली|mai-IN=मैथिली (भारत)|
        mas=Maa|mas-KE=Maa (Kenya)|mas-TZ=Maa (Tansania)|mer=Kĩmĩrũ|mer-KE=Kĩmĩrũ (Kenya)|mfe=kreol morisien|
        mfe-MU=kreol morisien (Moris)|mg=Malagasy|mg-MG=Malagasy (Madagasikara)|mgh=Makua|mgh-MZ=Makua (Umozambiki)|
        mgo=metaʼ|mgo-CM=metaʼ (Kamalun)|mh=Marshallese|mi=Māori|mi-NZ=Māori (Aotearoa)|mic=Lʼnuiʼsuti|
        mic-CA=Mi’kmaw (Canada)|mid=ࡌࡀࡍࡃࡀࡉࡀ|mid-IQ=Mandaic (Iraq)|mk=македонски|
        mk-MK=македонски (Северна Македонија)|ml=മലയാളം|ml-IN=മലയാളം (ഇന്ത്യ)|mn=монгол|mn-MN=монгол (Монгол)|
        mni=মৈতৈলোন্|mni-Beng=মৈতৈলোন্ (বাংলা)|mni-Beng-IN=মৈতৈলোন্ (বাংলা, ইন্দিয়া)|mni-Mtei=ꯃꯤꯇꯩꯂꯣꯟ (ꯃꯤꯇꯩ ꯃꯌꯦꯛ)|
        mni-Mtei-IN=Manipuri (Meitei Mayek, India)|moh=Kanienʼkéha|moh-CA=Mohawk (Canada)|mr=मराठी|
        mr-IN=मराठी (भारत)|ms=Bahasa Melayu|ms-Arab=بهاس ملايو (عرب)|ms-Arab-BN=بهاس ملايو (عرب، بروني)|
        ms-Arab-MY=بهاس ملايو (عرب، مليسيا)|ms-BN=Bahasa Melayu (Brunei)|ms-ID=Bahasa Melayu (Indonesia)|
        ms-MY=Bahasa Melayu (Malaysia)|ms-SG=Bahasa Melayu (Singapura)|mt=Malti|mt-MT=Malti (Malta)|mua=MUNDAŊ|
        mua-CM=MUNDAŊ (kameruŋ)|mus=Mvskoke|mus-US=Mvskoke (United States)|my=မြန်မာ|my-MM=မြန်မာ (မြန်မာ)|
        myv=эрзянь кель|myv-RU=эрзянь кель (Рузонь мастор)|mzn=مازرونی|mzn-IR=مازرونی (ایران)|na=Nauru|
        naq=Khoekhoegowab|naq-NA=Khoekhoegowab (Namibiab)|nb=norsk bokmål|nb-NO=norsk bokmål (Norge)|
        nb-SJ=norsk bokmål (Svalbard og Jan Mayen)|nd=isiNdebele|nd-ZW=isiNdebele (Zimbabwe)|nds=Neddersass’sch|
        nds-DE=Neddersass’sch (Düütschland)|nds-NL=Neddersass’sch (Nedderlannen)|ne=नेपाली|ne-IN=नेपाली (भारत)|
        ne-NP=नेपाली (नेपाल)|ng=Ndonga|nl=Nederlands|nl-AW=Nederlands (Aruba)|nl-BE=Nederlands (België)|
        nl-BQ=Nederlands (Caribisch Nederland)|nl-CW=Nederlands (Curaçao)|nl-NL=Nederlands (Nederland)|
        nl-SR=Nederlands (Suriname)|nl-SX=Nederlands (Sint-Maarten)|nmg=Kwasio|nmg-CM=Kwasio (Cameroon)|
        nn=norsk nynorsk|nn-NO=norsk nynorsk (Noreg)|nnh=Shwóŋò ngiembɔɔn|nnh-CM=Shwóŋò ngiembɔɔn (Kàmalûm)|
        nnp=𞋒𞋀𞋉𞋃𞋕|nnp-IN=Wancho (India)|no=norsk|nqo=ߒߞߏ|nqo-GN=ߒߞߏ (ߖߌ߬ߣߍ߫)|nr=South Ndebele|
        nr-ZA=South Ndebele (South Africa)|nso=Sesotho sa Leboa|nso-ZA=Sesotho sa Leboa (Afrika Borwa)|
        nus=Thok Nath|nus-SS=Nuer (South Sudan)|nv=Diné Bizaad|nv-US=Navajo (United States)|ny=Nyanja|
        ny-MW=Nyanja (Malawi)|nyn=Runyankore|nyn-UG=Runyankore (Uganda)|oc=occitan|oc-ES=occitan (Espanha)|
        oc-FR=occitan (França)|oj=Ojibwa|om=Oromoo|om-ET=Oromoo (Itoophiyaa)|om-KE=Oromoo (Keeniyaa)|or=ଓଡ଼ିଆ|
        or-IN=ଓଡ଼ିଆ (ଭାରତ)|os=ирон|os-GE=ирон (Гуырдзыстон)|os-RU=ирон (Уӕрӕсе)|osa=𐓏𐓘𐓻𐓘𐓻𐓟|
        osa-US=𐓏𐓘𐓻𐓘𐓻𐓟 (United States)|pa=ਪੰਜਾਬੀ|pa-Arab=پنجابی (نسخ)|pa-Arab-PK=پنجابی (نسخ, پاکستان)|
        pa-Aran-PK=پنجابی (نستعلیق, پاکستان)|pa-Guru=ਪੰਜਾਬੀ (ਗੁਰਮੁਖੀ)|pa-Guru-IN=ਪੰਜਾਬੀ (ਗੁਰਮੁਖੀ, ਭਾਰਤ)|
        pcm=Naijíriá Píjin|pcm-NG=Naijíriá Píjin (Naijíria)|pi=Pali|pl=polski|pl-PL=polski (Polska)|pqm=Wolastoqey|
        pqm-CA=Wolastoqey (Canada)|prg=prūsiskan|prg-PL=prūsiskan (Pōli)|ps=پښتو|ps-AF=پښتو (افغانستان)|
        ps-PK=پښتو (پاکستان)|pt=português|pt-AO=português (Angola)|pt-BR=português (Brasil)|pt-CH=português (Suíça)|
        pt-CV=português (Cabo Verde)|pt-FR=português (França)|pt-GQ=português (Guiné Equatorial)|
        pt-GW=português (Guiné-Bissau)|pt-LU=português (Luxemburgo)|pt-MO=português (Macau)|
        pt-MZ=português (Moçambique)|pt-PT=português (Portugal)|pt-ST=português (São Tomé e Príncipe)|
        pt-TL=português (Timor-Leste)|qu=Runasimi|qu-BO=Runasimi (Bolivia)|qu-EC=Runasimi (Ecuador)|
        qu-PE=Runasimi (Perú)|raj=राजस्थानी|raj-IN=राजस्थानी (भारत)|rej=Baso Hejang|rej-ID=Rejang (Indonesia)|
        rej-Rjng=ꤷꤼꥋ ꤽꥍꤺꥏ (ꥆꤰ꥓ꤼꤽ ꤽꥍꤺꥏ)|rej-Rjng-ID=Rejang (Rejang, Indonesia)|rhg=𐴌𐴗𐴥𐴝𐴙𐴚𐴒𐴙𐴝|
        rhg-Rohg=Rohingya (Hanifi)|rhg-Rohg-BD=Rohingya (Hanifi, Bangladesh)|
        rhg-Rohg-MM=Rohingya (Hanifi, Myanmar [Burma])|rm=rumantsch|rm-CH=rumantsch (Svizra)|rn=Ikirundi|
        rn-BI=Ikirundi (Uburundi)|ro=română|ro-MD=română (Republica Moldova)|ro-RO=română (România)|rof=Kihorombo|
        rof-TZ=Kihorombo (Tanzania)|ru=русский|ru-BY=русский (Беларусь)|ru-KG=русский (Киргизия)|
        ru-KZ=русский (Казахстан)|ru-MD=русский (Молдова)|ru-RU=русский (Россия)|ru-UA=русский (Украина)|
        rw=Ikinyarwanda|rw-RW=Ikinyarwanda (U Rwanda)|rwk=Kiruwa|rwk-TZ=Kiruwa (Tanzania)|sa=संस्कृत भाषा|
        sa-IN=संस्कृत भाषा (भारतः)|sah=саха тыла|sah-RU=саха тыла (Арассыыйа)|saq=Kisampur|saq-KE=Kisampur (Kenya)|
        sat=ᱥᱟᱱᱛᱟᱲᱤ|sat-Deva=सानताड़ी (देवानागारी)|sat-Deva-IN=Santali (Devanagari, India)|
        sat-Olck=ᱥᱟᱱᱛᱟᱲᱤ (ᱚᱞ ᱪᱤᱠᱤ)|sat-Olck-IN=ᱥᱟᱱᱛᱟᱲᱤ (ᱚᱞ ᱪᱤᱠᱤ, ᱤᱱᱰᱤᱭᱟ)|sbp=Ishisangu|sbp-TZ=Ishisangu (Tansaniya)|
        sc=sardu|sc-IT=sardu (Itàlia)|scn=sicilianu|scn-IT=Sicilian (Italy)|sd=سنڌي|sd-Arab=سنڌي (عربي)|
        sd-Arab-PK=سنڌي (عربي, پاڪستان)|sd-Deva=सिन्धी (देवनागिरी)|sd-Deva-IN=सिन्धी (देवनागिरी, भारत)|
        se=davvisámegiella|se-FI=davvisámegiella (Suopma)|se-NO=davvisámegiella (Norga)|
        se-SE=davvisámegiella (Ruoŧŧa)|seh=sena|seh-MZ=sena (Moçambique)|ses=Koyraboro senni|
        ses-ML=Koyraboro senni (Maali)|sg=Sängö|sg-CF=Sängö (Ködörösêse tî Bêafrîka)|shi=ⵜⴰⵛⵍⵃⵉⵜ|
        shi-Latn=Tachelhit (Latin)|shi-Latn-MA=Tachelhit (Latin, Morocco)|shi-Tfng=Tachelhit (Tifinagh)|
        shi-Tfng-MA=Tachelhit (Tifinagh, Morocco)|si=සිංහල|si-LK=සිංහල (ශ්‍රී ලංකාව)|sjd=Кӣллт са̄мь кӣлл|
        sje=Bidumsámegiella|sju=Ubmejesámiengiälla|sk=slovenčina|sk-SK=slovenčina (Slovensko)|sl=slovenščina|
        sl-SI=slovenščina (Slovenija)|sm=Gagana faʻa Sāmoa|sm-AS=Samoan (American Samoa)|sm-WS=Samoan (Samoa)|
        smn=anarâškielâ|smn-FI=anarâškielâ (Suomâ)|sn=chiShona|sn-ZW=chiShona (Zimbabwe)|so=Soomaali|
        so-DJ=Soomaali (Jabuuti)|so-ET=Soomaali (Itoobiya)|so-KE=Soomaali (Kenya)|so-SO=Soomaali (Soomaaliya)|
        sq=shqip|sq-AL=shqip (Shqipëri)|sq-MK=shqip (Maqedonia e Veriut)|sq-XK=shqip (Kosovë)|sr=српски|
        sr-Cyrl=српски (ћирилица)|sr-Cyrl-BA=српски (ћирилица, Босна и Херцеговина)|
        sr-Cyrl-ME=српски (ћирилица, Црна Гора)|sr-Cyrl-RS=српски (ћирилица, Србија)|
        sr-Cyrl-XK=српски (ћирилица, Косово)|sr-Latn=srpski (latinica)|
        sr-Latn-BA=srpski (latinica, Bosna i Hercegovina)|sr-Latn-ME=srpski (latinica, Crna Gora)|
        sr-Latn-RS=srpski (latinica, Srbija)|sr-Latn-XK=srpski (latinica, Kosovo)|ss=siSwati|
        ss-SZ=siSwati (eSwatini)|ss-ZA=Swati (South Africa)|st=Sesotho|st-LS=Sesotho (Lesotho)|
        st-ZA=Sesotho (Afrika Borwa)|su=Basa Sunda|su-Latn=Basa Sunda (Latin)|
        su-Latn-ID=Basa Sunda (Latin, Indonesia)|sv=svenska|sv-AX=svenska (Åland)|sv-FI=svenska (Finland)|
        sv-SE=svenska (Sverige)|sw=Kiswahili|sw-CD=Kiswahili (Jamhuri ya Kidemokrasia ya Kongo)|
        sw-KE=Kiswahili (Kenya)|sw-TZ=Kiswahili (Tanzania)|sw-UG=Kiswahili (Uganda)|syr=ܣܘܪܝܝܐ|syr-IQ=ܣܘܪܝܝܐ (ܥܝܪܩ)|
        syr-SY=ܣܘܪܝܝܐ (ܣܘܪܝܐ)|szl=ślōnski|szl-PL=ślōnski (Polska)|ta=தமிழ்|ta-IN=தமிழ் (இந்தியா)|
        ta-LK=தமிழ் (இலங்கை)|ta-MY=தமிழ் (மலேசியா)|ta-SG=தமிழ் (சிங்கப்பூர்)|te=తెలుగు|te-IN=తెలుగు (భారతదేశం)|
        teo=Kiteso|teo-KE=Kiteso (Kenia)|teo-UG=Kiteso (Uganda)|tg=тоҷикӣ|tg-TJ=тоҷикӣ (Тоҷикистон)|th=ไทย|
        th-TH=ไทย (ไทย)|ti=ትግርኛ|ti-ER=ትግርኛ (ኤርትራ)|ti-ET=ትግርኛ (ኢትዮጵያ)|tig=ትግረ|tig-ER=ትግረ (ኤርትራ)|tk=türkmen dili|
        tk-TM=türkmen dili (Türkmenistan)|tn=Setswana|tn-BW=Setswana (Botswana)|tn-ZA=Setswana (Aforika Borwa)|
        to=lea fakatonga|to-TO=lea fakatonga (Tonga)|tok=toki pona|tok-001=toki pona pi ma ale|tr=Türkçe|
        tr-CY=Türkçe (Kıbrıs)|tr-TR=Türkçe (Türkiye)|trv=patas Taroko|trv-TW=patas Taroko (TW)|ts=Xitsonga|
        ts-ZA=Tsonga (South Africa)|tt=татар|tt-RU=татар (Россия)|tw=Twi|twq=Tasawaq senni|
        twq-NE=Tasawaq senni (Nižer)|ty=Tahitian|tzm=Tamaziɣt n laṭlaṣ|tzm-MA=Tamaziɣt n laṭlaṣ (Meṛṛuk)|
        ug=ئۇيغۇرچە|ug-CN=ئۇيغۇرچە (جۇڭگو)|uk=українська|uk-UA=українська (Україна)|ur=اردو|ur-Arab=اردو (نسخ)|
        ur-Arab-IN=اردو (نسخ،بھارت)|ur-Arab-PK=اردو (نسخ،پاکستان)|ur-Aran-IN=اردو (نستعلیق،بھارت)|
        ur-Aran-PK=اردو (نستعلیق،پاکستان)|uz=o‘zbek|uz-Arab=اوزبیک (عربی)|uz-Arab-AF=اوزبیک (عربی, افغانستان)|
        uz-Cyrl=ўзбекча (Кирил)|uz-Cyrl-UZ=ўзбекча (Кирил, Ўзбекистон)|uz-Latn=o‘zbek (lotin)|
        uz-Latn-UZ=o‘zbek (lotin, Oʻzbekiston)|vai=ꕙꔤ|vai-Latn=Vai (Latin)|vai-Latn-LR=Vai (Latin, Liberia)|
        vai-Vaii=Vai (Vai)|vai-Vaii-LR=Vai (Vai, Liberia)|ve=Tshivenḓa|ve-ZA=Venda (South Africa)|vec=veneto|
        vec-IT=veneto (Italia)|vi=Tiếng Việt|vi-VN=Tiếng Việt (Việt Nam)|vmw=emakhuwa|vmw-MZ=emakhuwa (oMosambikhi)|
        vo=Volapük|vun=Kyivunjo|vun-TZ=Kyivunjo (Tanzania)|wa=walon|wa-BE=Walloon (Belgium)|wae=Walser|
        wae-CH=Walser (Schwiz)|wal=ወላይታቱ|wal-ET=ወላይታቱ (ኢትዮጵያ)|wo=Wolof|wo-SN=Wolof (Senegaal)|xh=IsiXhosa|
        xh-ZA=IsiXhosa (EMzantsi Afrika)|xnr=कांगड़ी|xnr-IN=कांगड़ी (भारत)|xog=Olusoga|xog-UG=Olusoga (Yuganda)|
        yav=nuasue|yav-CM=nuasue (Kemelún)|yi=ייִדיש|yi-UA=ייִדיש (אוקראַינע)|yo=Èdè Yorùbá|
        yo-BJ=Èdè Yorùbá (Bɛ̀nɛ̀)|yo-NG=Èdè Yorùbá (Nàìjíríà)|yrl=nheẽgatu|yrl-BR=nheẽgatu (Brasiu)|
        yrl-CO=ñengatú (Kurũbiya)|yrl-VE=ñengatú (Wenesuera)|yue=廣東話|yue-Hans=简体粤语|yue-Hans-CN=简体粤语（中国大陆）|
        yue-Hant=繁體廣東話|yue-Hant-CN=繁體廣東話（中國）|yue-Hant-HK=繁體廣東話（香港）|za=Vahcuengh|za-CN=Vahcuengh (Cunghgoz)|
        zgh=ⵜⴰⵎⴰⵣⵉⵖⵜ|zgh-MA=ⵜⴰⵎⴰⵣⵉⵖⵜ (ⵍⵎⵖⵔⵉⴱ)|zh=中文|zh-CN=中文（中国大陆）|zh-HK=中文（香港）|zh-Hans=简体中文|zh-Hans-CN=简体中文（中国大陆）|
        zh-Hans-HK=简体中文（香港）|zh-Hans-JP=简体中文（日本）|zh-Hans-MO=简体中文（澳门）|zh-Hans-MY=简体中文（马来西亚）|zh-Hans-SG=简体中文（新加坡）|
        zh-Hant=繁體中文|zh-Hant-CN=繁體中文（中國大陸）|zh-Hant-HK=繁體中文（香港）|zh-Hant-JP=繁體中文（日本）|zh-Hant-MO=繁體中文（澳門）|
        zh-Hant-MY=繁體中文（馬來西亞）|zh-Hant-TW=繁體中文（台灣）|zh-SG=中文（新加坡）|zh-TW=中文（台灣）|zu=isiZulu|
        zu-ZA=isiZulu (iNingizimu Afrika)|
        """
}
