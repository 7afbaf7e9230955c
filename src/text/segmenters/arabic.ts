const ALEFS = new Set(['ا', 'أ', 'إ', 'آ', 'ٱ'])
const ARTICLE_LENGTH = 2

/** Splits the article off: `الكتاب` is `ال` and `كتاب` (spec 5 §1.5). A piece that is only the article stays whole. */
export function splitArabicArticle(piece: string): readonly number[] {
  const hasArticle = piece.length > ARTICLE_LENGTH && ALEFS.has(piece[0]!) && piece[1] === 'ل'
  return hasArticle ? [ARTICLE_LENGTH, piece.length - ARTICLE_LENGTH] : [piece.length]
}
