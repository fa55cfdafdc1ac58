// @ts-nocheck
export const facts = {
  "name": {
    "kind": "text",
    "column": "name",
    "label": "Name",
    "maxLength": 200,
    "compare": "name",
    "reviewed": "always",
    "isMergeField": true
  },
  "tradingName": {
    "kind": "text",
    "column": "trading_name",
    "label": "Trading name",
    "maxLength": 200,
    "compare": "tradingName",
    "reviewed": "always",
    "isListed": true,
    "isMergeField": true
  },
  "registrationNumber": {
    "kind": "text",
    "column": "registration_number",
    "label": "Registration number",
    "maxLength": 50,
    "compare": "registrationNumber",
    "reviewed": "always",
    "signal": "flag"
  },
  "industry": {
    "kind": "text",
    "column": "industry",
    "label": "Industry",
    "maxLength": 100,
    "compare": "industry",
    "reviewed": "always",
    "isListed": true,
    "isMergeField": true,
    "filter": "industry",
    "signal": "text"
  },
  "email": {
    "kind": "contact",
    "list": "emails",
    "label": "Email",
    "maxLength": 320,
    "compare": "email"
  },
  "phone": {
    "kind": "contact",
    "list": "phones",
    "label": "Phone",
    "maxLength": 320,
    "compare": "phone"
  },
  "domain": {
    "kind": "contact",
    "list": "domains",
    "label": "Web domain",
    "maxLength": 320,
    "compare": "domain",
    "isMergeField": true
  },
  "address.street": {
    "kind": "text",
    "column": "street",
    "label": "Street",
    "maxLength": 200,
    "compare": "address.street",
    "reviewed": "always",
    "isMergeField": true
  },
  "address.suburb": {
    "kind": "text",
    "column": "suburb",
    "label": "Suburb",
    "maxLength": 200,
    "compare": "address.suburb",
    "reviewed": "always",
    "isMergeField": true
  },
  "address.city": {
    "kind": "text",
    "column": "city",
    "label": "City",
    "maxLength": 200,
    "compare": "address.city",
    "reviewed": "always",
    "isMergeField": true,
    "filter": "city"
  },
  "address.province": {
    "kind": "text",
    "column": "province",
    "label": "Province",
    "maxLength": 200,
    "compare": "address.province",
    "reviewed": "always",
    "isMergeField": true
  },
  "address.postalCode": {
    "kind": "text",
    "column": "postal_code",
    "label": "Postal code",
    "maxLength": 200,
    "compare": "address.postalCode",
    "reviewed": "always"
  },
  "address.country": {
    "kind": "text",
    "column": "country",
    "label": "Country",
    "maxLength": 200,
    "compare": "address.country",
    "reviewed": "always"
  }
} as const;
