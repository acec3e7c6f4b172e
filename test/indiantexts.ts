// Three hundred texts as they come in names, brands and sheets: the scripts of India, money, sizes, quotes, full-width and
// invisible signs, emoji, both directions, combining marks, and what means something to CSV, SQL, JSON, HTML or a shell.

const scripts = {
  Devanagari: ['क्षितिज श्रीवास्तव', 'ज्ञानेश्वर', 'मुंबई', 'ऑर्डर #१२', 'क्‍ष', 'र्‍याचा', 'दुकान', 'हिन्दी कपड़े'],
  Marathi: ['पुणे', 'शृंगार', 'कोल्हापुरी चप्पल', 'आज्ञा'],
  Sanskrit: ['ॐ नमः', 'राज्ञः', 'ऌतक', 'वैदिक॒ स्वर॑'],
  Bengali: ['কলকাতা', 'শ্রীমতী ঘোষ', 'ঢাকাই জামদানি', 'র‍্যাক', 'দোকান ৳'],
  Assamese: ['গুৱাহাটী', 'ৰমেশ বৰা', 'মুগা চাদৰ'],
  Gurmukhi: ['ਅੰਮ੍ਰਿਤਸਰ', 'ਹਰਪ੍ਰੀਤ ਸਿੰਘ', 'ਪੰਜਾਬੀ ਜੁੱਤੀ', 'ੴ'],
  Gujarati: ['અમદાવાદ', 'શ્રી પટેલ', 'ક્ષત્રિય', 'કચ્છી ભરત'],
  Odia: ['ଭୁବନେଶ୍ୱର', 'ଶ୍ରୀମତୀ ଦାସ', 'ସମ୍ବଲପୁରୀ ଶାଢ଼ୀ'],
  Tamil: ['சென்னை', 'ஸ்ரீ ராமன்', 'காஞ்சிபுரம் பட்டு', 'க்ஷேமம்', 'கடை ௳'],
  Telugu: ['హైదరాబాద్', 'శ్రీనివాస్', 'పోచంపల్లి', 'క్ష్మా'],
  Kannada: ['ಬೆಂಗಳೂರು', 'ಶ್ರೀಕೃಷ್ಣ', 'ಮೈಸೂರು ರೇಷ್ಮೆ', 'ರ‍್ಯಾಂಕ್'],
  Malayalam: ['തിരുവനന്തപുരം', 'ശ്രീജിത്ത്', 'കൈത്തറി', 'അവന്‍', 'അവൻ', 'ക്ഷ്മീ'],
  Urdu: ['حیدرآباد', 'محمّد عرفان', 'کپڑے کی دکان', 'علی‌گڑھ'],
  Kashmiri: ['سرینَگَر', 'کٲشُر'],
  Sindhi: ['سنڌي', 'ڪپڙا'],
  Meitei: ['ꯏꯝꯐꯥꯜ', 'ꯃꯅꯤꯄꯨꯔ'],
  Santali: ['ᱥᱟᱱᱛᱟᱲᱤ', 'ᱨᱟᱧᱪᱤ'],
  Sinhala: ['කොළඹ', 'ශ්‍රී'],
  Tibetan: ['ལྷ་ས', 'ལེ་'],
  Latin: ['Ñandú & Söhne', 'Café Zürich', 'İstanbul', 'straße', 'Ångström', 'naïve façade', 'Łódź', 'Đà Nẵng'],
} as const satisfies Record<string, readonly string[]>

const money = ['₹1,499', '₹ 1,499.00', '₹1,00,000', 'Rs. 999', 'INR 999', '999/-', '₨500', '₹१,४९९', '€5', '£5', '¥500', '৳100', '₹', '₹₹', 'only ₹5!'] // prettier-ignore
const sizes = ['20×15×10', '20 × 15 × 10 cm', '½ kg', '1⁄2', '500 µg', '25 °C', '5′ 7″', '±2', '20✕15', '２０×１５', '≤ 5 kg', '10⁻³', '²', 'Nº 5', '№ 7'] // prettier-ignore
const quotes = ['Riya’s “Kids” – Store', '‘x’', '“x”', '„x‟', '‚x‛', '«x»', '‹x›', '′x″', '`x`', '´x´', 'a–b', 'a—b', 'a―b', 'a‐b', 'a‑b', 'a−b', '… more', '·x·', '•x•', '©®™', '§ 5 ¶', '†‡', "O'Neil", '"Acme"'] // prettier-ignore
const wide = ['ＡＣＭＥ', '１２３', 'Win https：／／evil。example now', 'www．evil．example', '（株）', '日本語の店', '中文商店', '한국 가게', 'ｱｲｳ', '　ideographic　space　', '：／／', '！？', '｡x｡', '￥500', '～'] // prettier-ignore
const emoji = ['🛵', '🇮🇳', '👩‍🍳 Kitchen', '👨‍👩‍👧‍👦', '🏳️‍🌈', '👍🏽', '❤️', '❤', '☎️', '🧑🏾‍🤝‍🧑🏻', '1️⃣', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🪔 Diwali', '🥻', '🛕', '⭐️⭐️', '🤦🏽‍♀️', '🫶🏿', '🐅🦚', '✓ ok', '✗ no', '→ there', '░█▓', '🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉'] // prettier-ignore
const bidi = ['abc \u202e gnp.exe', '\u202dabc', '\u2066abc\u2069', '\u200fabc', '\u200eabc', 'abc שלום', 'שלום', 'عربي English عربي', '\u061cabc', 'א1ב2', '\u202aabc\u202c', '١٢٣', 'ﷺ', 'ﷲ', 'مـــد'] // prettier-ignore
const combining = ['e\u0301', '\u00e9', 'Å', 'A\u030a', '\u212b', 'Z\u0351\u0300\u0334a\u0323\u0330l\u0317', 'a' + '\u0301'.repeat(30), '\u0301x', 'ﬁne', 'Ω', '\u2126', 'ǆ', 'ſ', 'ß', 'ẞ', '\u1100\u1161', '가', 'क़', '\u0958', 'ড়'] // prettier-ignore
const blanks = ['\u200bx', 'x\u200b', 'a\u200bb', 'a\u200db', 'a\u200cb', '\ufeffx', 'x\ufeff', 'a\u00a0b', 'a\u2003b', 'a\u3000b', '\u2060x', 'a\u00adb', '\u180ex', '\u3164', '\u2800', '  two  blanks  ', '\u2028', 'a\u2029b', '\u034fx', '\ufff9x'] // prettier-ignore
const controls = ['\u0007bell', 'a\tb', 'a\u001b[31mred', '\u009b31m', 'a\u0000b', 'a\u007fb', 'a\u0085b', '\u0001', 'a\u000bb', 'a\u000cb', '\u001b]0;title\u0007', 'a\u008db'] // prettier-ignore
const meanings = ['=1+1', '+91 98', '-5', '@SUM(A1)', "'=1", "'quoted", '=HYPERLINK("http://x","y")', 'a,b', 'a;b', 'a|b', 'a"b', '""', 'Asha;=1+1', 'x\\', '\\n', '\\u0041', '%41', '%s', '${x}', '$(id)', '`id`', '; rm -rf /', '&amp;', '<b>x</b>', '<script>alert(1)</script>', '{{ x }}', '{% x %}', '[x](http://y)', 'null', 'undefined', 'NaN', 'true', '0', '-0', '1e5', '0x10', '007', '9.87E+09', '#1500', '# 12', '--help', '-x', '__proto__', 'constructor', "Robert'); drop table stores;--", '% _', '*', '?', '!', '~', '/', '..', 'con', 'a=b', 'a&b=c', 'http://evil.example', 'www.evil.example', 'A.com', 'ಠ_ಠ', 'मेरा \u0020 घर', 'Asha \u2028', 'x'.repeat(100), 'क्षि'.repeat(20)] // prettier-ignore

/** All of them, each once, in a fixed order. */
export const indianTexts: readonly string[] = [
  ...new Set([
    ...Object.values(scripts).flat(),
    ...money,
    ...sizes,
    ...quotes,
    ...wide,
    ...emoji,
    ...bidi,
    ...combining,
    ...blanks,
    ...controls,
    ...meanings,
  ]),
]
