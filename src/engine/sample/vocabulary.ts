// The words of the sample data: products, people, brands, and the texts of scans.
import type { Shares } from '../../domain/random.ts'

/** A product, with the price (rupees), weight (grams) and size (centimetres) of one piece. */
export interface Product {
  readonly sku: string
  readonly name: string
  readonly category: string
  readonly price: number
  readonly grams: number
  readonly size: readonly [length: number, width: number, height: number]
  readonly care: 'fragile' | 'dangerous' | null
}

type Row = readonly [
  sku: string,
  name: string,
  price: number,
  grams: number,
  length: number,
  width: number,
  height: number,
  care?: 'fragile' | 'dangerous',
]

const rows: Readonly<Record<string, readonly Row[]>> = {
  apparel: [
    ['KUR-IND-M', 'Cotton Kurta Indigo, M', 1299, 320, 30, 24, 3],
    ['KUR-IND-L', 'Cotton Kurta Indigo, L', 1299, 340, 30, 24, 3],
    ['SAR-CHD-01', 'Chanderi Silk Saree', 4850, 720, 36, 28, 5],
    ['TSH-BLK-M', 'Plain T-Shirt Black, M', 499, 190, 28, 22, 2],
    ['TSH-WHT-L', 'Plain T-Shirt White, L', 499, 200, 28, 22, 2],
    ['TSH-GRN-XL', 'Plain T-Shirt Green, XL', 549, 215, 28, 22, 2],
    ['LEG-BLK-S', 'Ankle Leggings Black, S', 399, 180, 26, 20, 2],
    ['DUP-BND-RD', 'Bandhani Dupatta Red', 899.5, 210, 28, 22, 3],
    ['JKT-NEH-40', 'Nehru Jacket, 40', 2199, 520, 34, 28, 5],
    ['STL-PSH-GR', 'Wool Stole Grey', 1750, 260, 30, 24, 4],
  ],
  footwear: [
    ['JUT-TAN-8', 'Leather Juttis Tan, 8', 1499, 620, 30, 20, 10],
    ['KOL-BRN-9', 'Kolhapuri Chappals Brown, 9', 1150, 680, 30, 22, 9],
    ['SNK-WHT-8', 'Everyday Sneakers White, 8', 2499, 940, 33, 22, 12],
    ['SNK-WHT-9', 'Everyday Sneakers White, 9', 2499, 980, 33, 22, 12],
    ['FLP-BLU-7', 'Rubber Flip-Flops Blue, 7', 299, 330, 28, 14, 7],
  ],
  beauty: [
    ['SRM-VTC-30', 'Vitamin C Face Serum 30 ml', 599, 95, 12, 5, 5],
    ['OIL-AML-200', 'Amla Hair Oil 200 ml', 285, 245, 18, 7, 5],
    ['SOP-NEM-4', 'Neem Soap, Pack of 4', 240, 420, 18, 9, 7],
    ['KAJ-BLK-01', 'Herbal Kajal', 199, 30, 14, 3, 2],
    ['CRM-SPF-50', 'Sunscreen SPF 50, 50 g', 449, 80, 14, 5, 4],
    ['MSK-MUL-100', 'Multani Mitti Face Pack 100 g', 175, 125, 12, 9, 3],
    ['PRF-OUD-50', 'Oudh Eau de Parfum 50 ml', 1899, 290, 13, 9, 6, 'dangerous'],
    ['DEO-SPT-150', 'Deodorant Spray 150 ml', 325, 175, 19, 6, 6, 'dangerous'],
  ],
  grocery: [
    ['TEA-ASM-500', 'Assam CTC Tea 500 g', 349, 540, 20, 12, 8],
    ['COF-FLT-250', 'Filter Coffee Powder 250 g', 275, 280, 18, 11, 6],
    ['GHE-COW-1L', 'A2 Cow Ghee 1 l', 1450, 1250, 14, 14, 20, 'fragile'],
    ['HON-WLD-500', 'Wild Forest Honey 500 g', 525, 760, 11, 11, 16, 'fragile'],
    ['MLT-RGI-1K', 'Ragi Flour 1 kg', 149, 1030, 24, 16, 6],
    ['NUT-ALM-500', 'Almonds 500 g', 649, 520, 22, 15, 5],
    ['SPC-GRM-200', 'Garam Masala 200 g', 189.75, 225, 16, 11, 4],
    ['SNK-MXT-400', 'Bombay Mixture 400 g', 160, 430, 24, 17, 7],
    ['PKL-MNG-400', 'Mango Pickle 400 g', 235, 690, 10, 10, 14, 'fragile'],
  ],
  home: [
    ['BED-JAI-D', 'Jaipuri Double Bedsheet', 1599, 1450, 38, 30, 8],
    ['CUS-IKT-5', 'Ikat Cushion Covers, Set of 5', 749, 560, 30, 26, 6],
    ['CUR-LIN-7', 'Linen Curtain 7 ft', 1099, 980, 34, 28, 7],
    ['LMP-BRS-01', 'Brass Diya, Pair', 449, 640, 14, 12, 9],
    ['TWL-BTH-2', 'Bath Towels, Pack of 2', 799, 900, 34, 26, 9],
    ['CND-SND-3', 'Sandalwood Candles, Set of 3', 599, 560, 24, 12, 9],
  ],
  kitchen: [
    ['TIF-STL-3', 'Steel Tiffin, 3 Tier', 899, 850, 18, 18, 24],
    ['TAW-IRN-26', 'Cast Iron Tawa 26 cm', 1249, 2100, 42, 27, 5],
    ['CKR-5L-SS', 'Pressure Cooker 5 l', 2350, 2900, 44, 26, 22],
    ['BTL-CPR-1L', 'Copper Bottle 1 l', 799, 360, 27, 8, 8],
    ['MUG-CRM-2', 'Ceramic Mugs, Set of 2', 549, 780, 24, 14, 12, 'fragile'],
    ['MIX-750W', 'Mixer Grinder 750 W', 3499, 4600, 46, 30, 26],
  ],
  electronics: [
    ['EAR-TWS-BK', 'Wireless Earbuds Black', 1799, 140, 12, 10, 5],
    ['PWB-10K', 'Power Bank 10000 mAh', 1199, 265, 16, 9, 4, 'dangerous'],
    ['CBL-USC-1M', 'USB-C Cable 1 m', 249, 45, 14, 9, 2],
    ['CHG-20W', 'Wall Charger 20 W', 649, 95, 11, 8, 5],
    ['SPK-BT-5', 'Bluetooth Speaker 5 W', 1499, 410, 16, 12, 10],
    ['WCH-SMT-01', 'Smart Watch', 2999, 180, 13, 11, 8],
    ['CSE-PH-CLR', 'Clear Phone Case', 299, 60, 19, 11, 2],
  ],
  fitness: [
    ['MAT-YGA-6', 'Yoga Mat 6 mm', 899, 1100, 62, 12, 12],
    ['BND-RES-5', 'Resistance Bands, Set of 5', 499, 320, 22, 16, 6],
    ['DMB-5K-2', 'Dumbbells 5 kg, Pair', 2199, 10200, 40, 24, 16],
    ['BAT-KSH-SH', 'Kashmir Willow Bat', 1850, 1350, 88, 13, 9],
    ['PRT-WHY-1K', 'Whey Protein 1 kg', 2149, 1180, 17, 17, 26],
  ],
  toys: [
    ['TOY-CHN-WD', 'Channapatna Wooden Stacker', 699, 380, 18, 12, 12],
    ['PZL-MAP-IN', 'India Map Puzzle', 349, 460, 30, 22, 5],
    ['BRD-LUD-01', 'Ludo and Snakes Board', 299, 520, 34, 34, 4],
    ['TOY-DOL-CT', 'Handmade Cotton Doll', 450, 210, 28, 14, 9],
  ],
}

/** All products, by category. */
export const products: readonly Product[] = Object.entries(rows).flatMap(([category, list]) =>
  list.map(([sku, name, price, grams, length, width, height, care]) => {
    const size = [length, width, height] as const
    return { sku, name, category, price, grams, size, care: care ?? null }
  }),
)

/** First and last names that go together. */
export interface Names {
  readonly first: readonly string[]
  readonly last: readonly string[]
}

const splitWords = (words: string): readonly string[] => words.split(' ')

/** Names by region, and two sets by script: `devanagari` and `tamil`. `regionOf` gives the region of a state. */
// prettier-ignore
export const names: Readonly<Record<string, Names>> = {
  north: {
    first: splitWords('Aarav Aditi Amit Ananya Anjali Arjun Deepak Divya Gaurav Isha Kavita Manish Megha Mohit Neha Nikhil Pooja Priya Rahul Rajesh Rakesh Ritu Rohit Sakshi Sandeep Shreya Sunita Suresh Tanvi Vikas Vivek Yash Imran Farah Zoya Salman'),
    last:  splitWords('Sharma Verma Gupta Singh Agarwal Mishra Pandey Tiwari Yadav Chauhan Saxena Srivastava Jain Bansal Khan Ansari Rathore Dubey Tripathi Joshi'),
  },
  punjab: {
    first: splitWords('Gurpreet Harpreet Jaspreet Manpreet Simran Navjot Amandeep Kiranjit Balwinder Ranjit Sukhdeep Parminder'),
    last:  splitWords('Singh Kaur Gill Sandhu Dhillon Sidhu Grewal Bedi Ahluwalia Chadha'),
  },
  west: {
    first: splitWords('Aniket Ashwini Chirag Dhruv Hetal Jignesh Ketan Komal Mihir Mrunal Nilesh Pallavi Prachi Prasad Rutuja Sagar Sayali Shraddha Swapnil Tejas Urvashi Vaibhav Falguni Bhavesh'),
    last:  splitWords("Patil Deshmukh Kulkarni Jadhav Shinde Pawar More Patel Shah Mehta Desai Joshi Gaikwad Bhosale Parmar Trivedi D'Souza Fernandes"),
  },
  south: {
    first: splitWords('Aishwarya Anand Aravind Bhavana Chaitra Deepika Ganesh Harini Karthik Keerthana Lakshmi Madhavan Manjunath Meenakshi Naveen Nithya Padma Pranav Praveen Ramya Sandhya Shruthi Srinivas Sridevi Sudha Swathi Venkatesh Vidya Vignesh Yamini'),
    last:  splitWords('Iyer Iyengar Nair Menon Reddy Rao Naidu Gowda Shetty Hegde Pillai Krishnan Subramaniam Balakrishnan Murthy Chandrasekaran Varma Kurup Thomas Mathew Prasad'),
  },
  east: {
    first: splitWords('Abhishek Anirban Arpita Barsha Debasish Debjani Indrani Kaushik Mousumi Paromita Rituparna Sanjukta Sayantan Soumya Subhashree Sudip Swastik Tanmoy Biswajit Itishree'),
    last:  splitWords('Banerjee Chatterjee Mukherjee Das Ghosh Bose Sen Roy Dutta Saha Mohanty Panda Sahoo Mahapatra Behera Nayak Kumar Prasad'),
  },
  northeast: {
    first: splitWords('Bhaskar Dimpee Jahnabi Lalrinpuii Mridul Nabajit Pranjal Rimjhim Temsula Tashi Ibomcha Banri Zothanmawia Hiranya Kezia Tsering'),
    last:  splitWords('Bora Gogoi Saikia Kalita Hazarika Deka Singh Ao Longkumer Sangma Lyngdoh Ralte Bhutia Debbarma Devi'),
  },
  devanagari: {
    first: splitWords('अनीता सुनील प्रिया राजेश कविता अमित पूजा विकास सीमा मनोज स्नेहा गणेश'),
    last:  splitWords('शर्मा वर्मा गुप्ता सिंह यादव मिश्रा पाटील जोशी कुलकर्णी देशमुख'),
  },
  tamil: {
    first: splitWords('கார்த்திக் மீனாட்சி செந்தில் லட்சுமி முருகன் கவிதா அருண் பிரியா குமரன் தமிழ்ச்செல்வி'),
    last:  splitWords('சுப்பிரமணியன் ராஜேந்திரன் பாலசுப்பிரமணியம் செல்வம் நடராஜன் வேலு கிருஷ்ணன்'),
  },
}

/** The states of each region, by their display names. */
const regions: Readonly<Record<string, readonly string[]>> = {
  north: [
    'Army Post',
    'Chhattisgarh',
    'Delhi',
    'Haryana',
    'Himachal Pradesh',
    'Jammu and Kashmir',
    'Ladakh',
    'Madhya Pradesh',
    'Rajasthan',
    'Uttar Pradesh',
    'Uttarakhand',
  ],
  punjab: ['Punjab', 'Chandigarh'],
  west: ['Maharashtra', 'Gujarat', 'Goa', 'Dadra and Nagar Haveli and Daman and Diu'],
  south: ['Tamil Nadu', 'Karnataka', 'Kerala', 'Andhra Pradesh', 'Telangana', 'Puducherry', 'Lakshadweep'],
  east: ['West Bengal', 'Odisha', 'Bihar', 'Jharkhand', 'Andaman and Nicobar Islands'],
  northeast: ['Assam', 'Arunachal Pradesh', 'Manipur', 'Meghalaya', 'Mizoram', 'Nagaland', 'Sikkim', 'Tripura'],
}
const regionOfState = new Map(
  Object.entries(regions).flatMap(([region, states]) => states.map((state) => [state, region])),
)

/** The region whose names are common in a state. Throws for a name that is not a state's display name. */
export function regionOf(state: string): string {
  const region = regionOfState.get(state)
  if (region === undefined) throw new Error(`no region has the state ${state}`)
  return region
}

/** The two halves of invented brand names, in Latin letters and in Devanagari; every pair makes a different slug. */
// prettier-ignore
export const brandWords: Readonly<Record<'first' | 'second', readonly (readonly [latin: string, devanagari: string])[]>> = {
  first: [
    ['Desi', 'देसी'], ['Neem', 'नीम'], ['Banjara', 'बंजारा'], ['Chai', 'चाय'], ['Gulmohar', 'गुलमोहर'], ['Indigo', 'इंडिगो'],
    ['Jaipur', 'जयपुर'], ['Kesar', 'केसर'], ['Madhubani', 'मधुबनी'], ['Monsoon', 'मॉनसून'], ['Mor', 'मोर'], ['Nila', 'नीला'],
    ['Palash', 'पलाश'], ['Rangoli', 'रंगोली'], ['Saffron', 'सैफरन'], ['Sahyadri', 'सह्याद्री'], ['Sitara', 'सितारा'], ['Tulsi', 'तुलसी'],
    ['Urban', 'अर्बन'], ['Veda', 'वेद'], ['Yamuna', 'यमुना'], ['Zari', 'ज़री'], ['Coromandel', 'कोरोमंडल'], ['Malabar', 'मालाबार'],
    ['Nilgiri', 'नीलगिरि'], ['Konkan', 'कोंकण'], ['Himalaya', 'हिमालय'], ['Lotus', 'लोटस'], ['Mango', 'मैंगो'], ['Pepper', 'पेपर'],
    ['Tamarind', 'टैमरिंड'], ['Peacock', 'पीकॉक'], ['Rickshaw', 'रिक्शा'], ['Bazaar', 'बाज़ार'], ['Aangan', 'आंगन'], ['Dhaaga', 'धागा'],
  ],
  second: [
    ['Weaves', 'वीव्ज़'], ['Naturals', 'नैचुरल्स'], ['Living', 'लिविंग'], ['Kitchen', 'किचन'], ['Threads', 'थ्रेड्स'], ['Organics', 'ऑर्गेनिक्स'],
    ['Crafts', 'क्राफ्ट्स'], ['Kids', 'किड्स'], ['Beauty', 'ब्यूटी'], ['Home', 'होम'], ['Studio', 'स्टूडियो'], ['Foods', 'फूड्स'],
    ['Gear', 'गियर'], ['Loom', 'लूम'], ['Label', 'लेबल'], ['Farms', 'फार्म्स'], ['Spice Co', 'स्पाइस को'], ['Collective', 'कलेक्टिव'],
    ['Essentials', 'एसेंशियल्स'], ['House', 'हाउस'], ['Traders', 'ट्रेडर्स'], ['Footwear', 'फुटवियर'], ['Tea Room', 'टी रूम'], ['Ayurveda', 'आयुर्वेद'],
    ['Electric', 'इलेक्ट्रिक'], ['Fitness', 'फिटनेस'], ['Toys', 'टॉयज़'], ['Gifts', 'गिफ्ट्स'], ['Fashion', 'फैशन'], ['Mart', 'मार्ट'],
  ],
}

/** Where sample warehouses can be: the three letters of their ids, and pincodes of that metro. */
export const warehouseSites: readonly (readonly [code: string, pincodes: readonly [string, ...string[]]])[] = [
  ['MUM', ['400072', '421302', '400093']],
  ['DEL', ['110037', '110044', '122001']],
  ['BLR', ['560067', '560100']],
  ['HYD', ['500032', '500078']],
  ['CHE', ['600095', '600058']],
  ['KOL', ['700156', '700091']],
  ['PUN', ['411014', '411057']],
  ['AHM', ['382210', '380015']],
]

/** The share of each metro in the parcels to metros, in percent. */
export const metroShares: Readonly<Record<string, number>> = {
  delhi_ncr: 23,
  mumbai: 20,
  bengaluru: 18,
  hyderabad: 11,
  chennai: 9,
  pune: 8,
  kolkata: 7,
  ahmedabad: 4,
}

/** The sales channels of orders that name a store, by their share. */
export const storeChannels: Shares = { manual_order: 86, shopify: 9, woocommerce: 5 }

/** The sales channels of orders that name no store, by their share. */
export const storelessChannels: Shares = {
  shopify: 30,
  amazon: 26,
  woocommerce: 16,
  flipkart: 12,
  meesho: 8,
  magento: 4,
  manual_order: 4,
}

/** For each carrier of the sample card: its weight in the choice among those that serve, and its AWBs' first digits. */
export const carrierShares: Readonly<Record<string, { readonly share: number; readonly prefix: string }>> = {
  deccan_parcel: { share: 30, prefix: '3481' },
  blueline_surface: { share: 22, prefix: '759' },
  swiftair: { share: 14, prefix: '8420' },
  monsoon_express: { share: 12, prefix: '1463' },
  banyan_heavy: { share: 20, prefix: '52' },
  peepal_post: { share: 8, prefix: '90' },
  kaveri_local: { share: 24, prefix: '617' },
  indus_economy: { share: 12, prefix: '2107' },
}

/** The texts of scans, by what happened; each courier words them in its own way. */
export const phrases = {
  not_picked: ['Pickup failed: parcel not ready', 'Pickup failed: warehouse closed', 'Pickup not attempted'],
  picked_up: ['Picked up'],
  left_hub: ['Left origin hub', 'Bagged and dispatched'],
  reached_hub: ['Reached destination hub', 'Received at delivery centre'],
  out_for_delivery: ['Out for delivery', 'With delivery executive'],
  delivered: ['Delivered', 'Delivered to customer', 'Delivered, OTP verified'],
  lost: ['Parcel not found at hub', 'Lost in transit'],
  rto_initiated: ['Return to origin started'],
  rto_in_transit: ['Returning to origin'],
  rto_lost: ['Lost on the way back'],
  rto_delivered: ['Returned to sender'],
} as const satisfies Record<string, readonly string[]>

/** Why customers send things back. */
export const returnReasons: Shares = {
  wrong_size: 26,
  quality_issue: 18,
  not_as_described: 15,
  changed_mind: 14,
  damaged: 11,
  wrong_item: 8,
  defective: 6,
  missing_parts: 2,
}
