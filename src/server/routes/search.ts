import { searchByBody, searchByParameters } from '../search/search-routes.js'

export const routes = [
  searchByParameters('/indexes/{index_uid}/search', 'searchParameters'),
  searchByBody('/indexes/{index_uid}/search', 'searchBody'),
]
