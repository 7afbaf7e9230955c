/** Two-letter codes and the three-letter codes they stand for (spec 4 §3.15). */
const TWO_LETTERS =
  'af=afr ak=aka am=amh ar=ara az=aze be=bel bn=ben bg=bul ca=cat cs=ces da=dan de=deu el=ell en=eng eo=epo et=est ' +
  'fi=fin fr=fra gu=guj he=heb hi=hin hr=hrv hu=hun hy=hye id=ind it=ita jv=jav ja=jpn kn=kan ka=kat km=khm ko=kor ' +
  'la=lat lv=lav lt=lit ml=mal mr=mar mk=mkd my=mya ne=nep nl=nld nb=nob or=ori pa=pan fa=pes pl=pol pt=por ro=ron ' +
  'ru=rus si=sin sk=slk sl=slv sn=sna es=spa sr=srp sv=swe ta=tam te=tel tl=tgl th=tha tk=tuk tr=tur uk=ukr ur=urd ' +
  'uz=uzb vi=vie yi=yid zh=zho zu=zul'

const pairs = TWO_LETTERS.split(' ').map((pair) => pair.split('=') as [string, string])

const threeLetters = new Map<string, string>([
  ...pairs,
  ...pairs.map(([, code]) => [code, code] as const),
  ['cmn', 'cmn'],
])

/** Every accepted code, two-letter ones first. */
export const localeCodes: readonly string[] = [...threeLetters.keys()]

/** The three-letter form of a code, or undefined when it is not known. Case counts. */
export function canonicalLocale(code: string): string | undefined {
  return threeLetters.get(code)
}
