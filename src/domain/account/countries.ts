/** The countries and territories of ISO 3166-1, and Kosovo. */
const COUNTRY_CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  )

type Country = { code: string; name: string }

/** Lists the countries by their names in the language, in its alphabetical order. */
export function listCountries(languageTag: string): Country[] {
  const names = createNames(languageTag)
  const { compare } = new Intl.Collator(languageTag)
  return COUNTRY_CODES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    compare(a.name, b.name),
  )
}

/**
 * Returns the code of the country that a stored text means: a code, or a name in English or in the page's language
 * (spec/account-centre#country). Returns null for any other text.
 */
export function findCountry(text: string, languageTag: string): string | null {
  if (text === '') return null
  const lowerCaseText = text.toLowerCase()
  const names = [createNames('en'), createNames(languageTag)]
  const isMeant = (code: string) =>
    code.toLowerCase() === lowerCaseText ||
    names.some((list) => list.of(code)?.toLowerCase() === lowerCaseText)
  return COUNTRY_CODES.find(isMeant) ?? null
}

/** Returns the name of the country that a stored text means, or the text itself if it means none. */
export function getCountryName(text: string, languageTag: string): string {
  const code = findCountry(text, languageTag)
  return code === null ? text : (createNames(languageTag).of(code) ?? text)
}

const createNames = (languageTag: string) => new Intl.DisplayNames(languageTag, { type: 'region' })
