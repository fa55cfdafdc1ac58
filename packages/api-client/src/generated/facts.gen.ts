// @ts-nocheck
export const facts = {
  "name": {
    "kind": "text",
    "label": "Name",
    "isMergeField": true
  },
  "tradingName": {
    "kind": "text",
    "label": "Trading name",
    "isListed": true,
    "isMergeField": true
  },
  "registrationNumber": {
    "kind": "text",
    "label": "Registration number"
  },
  "industry": {
    "kind": "text",
    "label": "Industry",
    "isListed": true,
    "isMergeField": true,
    "filter": "industry"
  },
  "employees": {
    "kind": "number",
    "label": "Employees",
    "noun": "number of employees",
    "max": 10000000,
    "isListed": true
  },
  "email": {
    "kind": "contact",
    "list": "emails",
    "label": "Email"
  },
  "phone": {
    "kind": "contact",
    "list": "phones",
    "label": "Phone"
  },
  "domain": {
    "kind": "contact",
    "list": "domains",
    "label": "Web domain",
    "isMergeField": true
  },
  "address.street": {
    "kind": "text",
    "label": "Street",
    "isMergeField": true
  },
  "address.suburb": {
    "kind": "text",
    "label": "Suburb",
    "isMergeField": true
  },
  "address.city": {
    "kind": "text",
    "label": "City",
    "isMergeField": true,
    "filter": "city"
  },
  "address.province": {
    "kind": "text",
    "label": "Province",
    "isMergeField": true
  },
  "address.postalCode": {
    "kind": "text",
    "label": "Postal code"
  },
  "address.country": {
    "kind": "text",
    "label": "Country"
  }
} as const;
