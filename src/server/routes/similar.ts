import { searchByBody, searchByParameters } from '../search/search-routes.js'

export const routes = [
  searchByParameters('/indexes/{index_uid}/similar', 'similarParameters'),
  searchByBody('/indexes/{index_uid}/similar', 'similarBody'),
]
